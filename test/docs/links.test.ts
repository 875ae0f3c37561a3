// The documentation hangs together: links lead somewhere, each page is listed, each public name has a page.
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { frameworksOf, readPages, root } from './blocks.ts';

const read = (path: string): string => readFileSync(root + path, 'utf8');
const pages = readPages().map(({ path }) => path);
const linking = [...pages, 'llms.txt', 'AGENTS.md', 'CONTRIBUTING.md'];

interface Link {
  readonly from: string;
  readonly to: string;
}

/** Relative links, code left out. */
function linksIn(from: string): Link[] {
  const text = read(from).replace(/^```[\s\S]*?^```$|`[^`\n]*`/gm, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to = '']) => ({ from, to }))
    .filter(({ to }) => !/^\w+:/.test(to));
}

/** Returns the target of a link: the file and the anchor. */
function target({ from, to }: Link): { readonly path: string; readonly anchor: string } {
  const [file = '', anchor = ''] = to.split('#');
  return { path: file === '' ? from : posix.join(posix.dirname(from), file), anchor };
}

/** The anchors that GitHub derives from headings. */
function anchorsOf(path: string): string[] {
  const text = read(path).replace(/^```[\s\S]*?^```$/gm, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('[CODE] each link of the documentation points to an existing file and an existing heading', () => {
  const links = linking.flatMap(linksIn);
  expect(links.length).toBeGreaterThan(100);
  const broken = links.filter((link) => {
    const { path, anchor } = target(link);
    return !existsSync(root + path) || (anchor !== '' && !anchorsOf(path).includes(anchor));
  });
  expect(broken).toEqual([]);
});

test.each([
  ['README.md', ['docs/demo-dark.png', 'docs/demo-light.png']],
  ['docs/devtools.md', ['./panel-dark.png', './panel-light.png']],
])(
  '[CODE] the pictures of %s exist in a dark and a light form, and have a text',
  (page, pictures) => {
    const [picture = ''] = /<picture>[\s\S]*?<\/picture>/.exec(read(page)) ?? [];
    const files = [...picture.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(files).toEqual(pictures);
    expect(
      files.filter((path) => !existsSync(root + posix.join(posix.dirname(page), path))),
    ).toEqual([]);
    expect(picture).toMatch(/alt="[^"]{40,}"/);
  },
);

test.each(['docs/README.md', 'llms.txt'])(
  '[CODE] %s lists each page of the documentation',
  (index) => {
    const listed = new Set(linksIn(index).map((link) => target(link).path));
    // docs/index.md is the home page of the site
    const unlisted = [index, 'docs/index.md'];
    const docs = pages.filter((path) => path.startsWith('docs/') && !unlisted.includes(path));
    expect(docs.filter((path) => !listed.has(path))).toEqual([]);
  },
);

test.each(['llms.txt', 'AGENTS.md', 'skills/signalbox/SKILL.md'])(
  '[CODE] %s links no page twice',
  (index) => {
    const paths = linksIn(index).map((link) => target(link).path);
    expect(paths).toHaveLength(new Set(paths).size);
  },
);

/** The source of each entry point. */
const faces = Object.values(
  (JSON.parse(read('package.json')) as { exports: Record<string, Entry> }).exports,
).flatMap((entry) =>
  typeof entry === 'string'
    ? []
    : [entry.import.default.replace('./dist/esm/', '').replace(/\.js$/, '.ts')],
);

type Entry = string | { readonly import: { readonly default: string } };

/** The values that a face exports. */
function exportedBy(face: string): string[] {
  const found = read(face).matchAll(/^export (?:class|const|function) (\w+)|^export \{([^}]*)\}/gm);
  return [...found].flatMap(([, own, list = '']) =>
    own === undefined
      ? list.split(',').flatMap((one) => one.split(' as ').at(-1)?.trim() || [])
      : [own],
  );
}

test('[CODE] docs/README.md lists each exported value, with its page', () => {
  const exported = faces.flatMap(exportedBy);
  const named = new Set(
    [...read('docs/README.md').matchAll(/^- (.*\]\(.*)$/gm)].flatMap(([, row = '']) =>
      [...row.matchAll(/`([\w$]+)`/g)].map(([, name]) => name),
    ),
  );
  expect(exported.length).toBeGreaterThan(60);
  expect(exported.filter((name) => !named.has(name))).toEqual([]);
});

test('[CODE] the page of a hook has an example for each framework that exports the hook', () => {
  const views = ['react', 'preact', 'solid'] as const;
  const having = (name: string): string[] =>
    views.filter((view) =>
      faces.some((face) => face.includes(`/${view}/`) && exportedBy(face).includes(name)),
    );
  const hooks = readPages().filter(({ path }) => path.startsWith('docs/hooks/'));
  expect(hooks.length).toBeGreaterThan(15);
  for (const page of hooks) {
    const name = /^# (\S+)$/m.exec(page.text)?.[1] ?? '';
    expect({ name, shows: frameworksOf(page) }).toEqual({ name, shows: having(name) });
  }
});

test('[CODE] the package contains the files that the documentation needs', () => {
  const { files } = JSON.parse(read('package.json')) as { files: string[] };
  for (const path of ['docs', 'skills', 'llms.txt', 'AGENTS.md']) {
    expect(files).toContain(path);
    expect(existsSync(root + path)).toBe(true);
  }
});

test('[CODE] code of an example on a page equals the file of the example', () => {
  const shown = readPages().flatMap(({ path, blocks }) =>
    blocks
      .filter(({ notCompiled = '' }) => notCompiled.startsWith('examples/'))
      .map(({ code, notCompiled = '' }) => ({ path, of: notCompiled, code })),
  );
  expect(shown.length).toBeGreaterThan(3);
  expect(shown).toEqual(shown.map((each) => ({ ...each, code: read(each.of) })));
});
