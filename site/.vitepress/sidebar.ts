/** The sidebar: the links of docs/README.md in their order, by the purpose of the page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

type Item = DefaultTheme.SidebarItem;

interface Link {
  readonly text: string;
  readonly path: string;
}

interface Group {
  readonly name: string;
  /** Each page belongs to the first group that matches its path. */
  readonly paths: RegExp;
  /** Of a group inside of another: the address of its name. It makes the name a link beside the button that folds. */
  readonly link?: string;
}

const groups: readonly Group[] = [
  { name: 'Tutorial', paths: /^(?:getting-started$|live\/)/ },
  {
    name: 'Explanation',
    paths: /^(?:concepts|adapters|consistency|performance|internals|compare)$/,
  },
  { name: 'Hooks and components', paths: /^hooks\//, link: '/pages#hooks-and-components' },
  { name: 'Classes and functions', paths: /^api\//, link: '/pages#classes-and-functions' },
  { name: 'Look up', paths: /^(?:errors|eslint|openapi)$/, link: '/pages#to-look-things-up' },
  { name: 'With a framework', paths: /^frameworks\//, link: '/pages#with-a-framework' },
  { name: 'Migration', paths: /^migration(?:\/|$)/, link: '/pages#to-look-things-up' },
  { name: 'Guides', paths: /./ },
  // only groups
  { name: 'Reference', paths: /^$/ },
];

export function createSidebar(docs: string): Item[] {
  const links = linksIn(docs);
  const itemsOf = (group: Group): Item[] =>
    links
      .filter(({ path }) => groups.find(({ paths }) => paths.test(path)) === group)
      .map(({ text, path }) => ({ text, link: `/${path}` }));
  const item = (name: string, nested: readonly string[] = []): Item => {
    const group = groups.find((each) => each.name === name);
    if (group === undefined) throw new Error(`The sidebar has no group ${name}.`);
    const items = [...itemsOf(group), ...nested.map((each) => item(each))];
    const { link } = group;
    return link === undefined
      ? { text: name, items }
      : { text: name, link, items, collapsed: true };
  };
  return [
    item('Tutorial'),
    item('Guides', ['With a framework', 'Migration']),
    item('Reference', ['Hooks and components', 'Classes and functions', 'Look up']),
    item('Explanation'),
  ];
}

/** The first link to each page. */
function linksIn(docs: string): Link[] {
  const text = readFileSync(join(docs, 'README.md'), 'utf8');
  const links = new Map<string, Link>();
  for (const [, label = '', path = ''] of text.matchAll(/\[([^\]]+)\]\(([\w/.-]+)\.md[^)]*\)/g)) {
    if (!links.has(path)) links.set(path, { text: nameOf(label), path });
  }
  return [...links.values()];
}

/** The first of several names: a sidebar is narrow. */
function nameOf(label: string): string {
  const [first = '', ...others] = label.replaceAll('`', '').split(', ');
  return label.startsWith('`') && others.length > 0 ? `${first}, …` : label.replaceAll('`', '');
}
