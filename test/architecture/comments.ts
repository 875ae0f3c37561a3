// A rule about comments: a name in backticks exists.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { platformFiles } from './declarations.ts';
import type { Rule } from './Rule.ts';
import { isNode, nameOf, type Source } from './sources.ts';
import { basesOf, membersOf, nodesIn, TypeIndex } from './TypeIndex.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The declarations of the frameworks and packages: comments may use their words. */
const packages = [
  '@types/react/index.d.ts',
  '@types/react-dom/index.d.ts',
  '@types/react-dom/client.d.ts',
  '@types/react-dom/server.d.ts',
  'preact/src/index.d.ts',
  'preact/hooks/src/index.d.ts',
  'solid-js/types/index.d.ts',
  'solid-js/types/render/index.d.ts',
  'solid-js/types/server/rendering.d.ts',
  'solid-js/types/reactive/signal.d.ts',
  '@preact/signals-core/dist/signals-core.d.ts',
  '@preact/signals/dist/signals.d.ts',
  '@types/node/globals.d.ts',
  '@types/node/http.d.ts',
  '@types/node/stream.d.ts',
];

/** Words of standards and of other programs, which no declaration has, with their origin. */
const words: Readonly<Record<string, string>> = {
  Age: 'a header of RFC 9111',
  ETag: 'a header of RFC 9110',
  Expires: 'a header of RFC 9111',
  Vary: 'a header of RFC 9110',
  actionsDenylist: 'an option of the Redux DevTools',
  renderToStream: 'a function of @solidjs/web',
  setupServer: 'a function of MSW',
  setupWorker: 'a function of MSW',
  useServerInsertedHTML: 'a hook of Next.js',
  Article: 'a sample class',
  Todo: 'a sample class',
  TodoResource: 'a sample resource',
  todo: 'a sample entity',
};

let outside: Set<string> | undefined;

/** Each identifier in the declarations of the platform and of the frameworks. */
function outsideWords(): Set<string> {
  if (outside !== undefined) return outside;
  const files = [...platformFiles(), ...packages.map((path) => join(root, 'node_modules', path))];
  outside = new Set(Object.keys(words));
  for (const file of files.filter((path) => existsSync(path)))
    for (const [name] of withoutComments(readFileSync(file, 'utf8')).matchAll(
      /[\p{L}_$][\p{L}\d_$]*/gu,
    ))
      outside.add(name);
  for (const keyword of [
    'await',
    'const',
    'super',
    'delete',
    'instanceof',
    'of',
    'yield',
    'pk',
    'static',
  ])
    outside.add(keyword);
  return outside;
}

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');

/** Each name that the code has: identifiers, members, and texts without spaces. */
function wordsOf(sources: readonly Source[]): Set<string> {
  const found = new Set<string>();
  for (const { program } of sources)
    for (const node of nodesIn(program))
      for (const field of ['name', 'value']) {
        const text = wordsIn(node[field]);
        for (const [name] of text.matchAll(/[\p{L}_$][\p{L}\d_$]*/gu)) found.add(name);
      }
  return found;
}

const wordsIn = (value: unknown): string => {
  const raw = (value as { raw?: unknown } | null | undefined)?.raw;
  const text = typeof value === 'string' ? value : raw;
  return typeof text === 'string' && !/\s/.test(text) ? text : '';
};

/** The members of each class and interface; none for a type with a base, which may declare others. */
function membersByType(sources: readonly Source[]): Map<string, Set<string>> {
  const members = new Map<string, Set<string>>();
  const open = new Set<string>();
  for (const { name, node } of new TypeIndex(sources).types) {
    if (basesOf(node).length > 0 || isNode(node['superClass']) || membersOf(node).length === 0)
      open.add(name);
    const own = members.get(name) ?? new Set<string>();
    for (const each of membersOf(node)) own.add(nameOf(each['key']) ?? '');
    members.set(name, own);
  }
  for (const name of open) members.delete(name);
  return members;
}

/** `name`, `#name`, `Type.member`, `call()`, `call(value)`: not text with spaces, paths or operators. */
const aName = /^#?[\p{L}_$][\p{L}\d_$]*(?:\.#?[\p{L}_$][\p{L}\d_$]*)*(?:\([^`]*\))?$/u;

/** The comments there quote names of the documents that the command reads. */
const quotesDocuments = /^src\/openapi\//;

const namesExist: Rule = {
  title: 'a name in the backticks of a comment exists in the code, the platform or a framework',
  find: (sources) => {
    const inside = wordsOf(sources);
    const members = membersByType(sources);
    const exists = (name: string): boolean => inside.has(name) || outsideWords().has(name);
    const isMissing = (text: string): boolean => {
      const chain = text.replace(/\(.*/s, '').replaceAll('#', '').split('.');
      if (!chain.every(exists)) return true;
      const [type = '', member] = chain;
      return member !== undefined && members.get(type)?.has(member) === false;
    };
    const paths = sources.map(({ path }) => `/${path}`);
    const isLostFile = (text: string): boolean =>
      /^[\w./-]+\.ts$/.test(text) && !paths.some((path) => path.endsWith(`/${text}`));
    return sources.flatMap(({ path, comments }) => {
      if (quotesDocuments.test(path)) return [];
      const examples = comments.map(({ text }) => text.split('@example')[1] ?? '').join('\n');
      const quoted = comments.flatMap(({ text }) =>
        [...withoutCode(text).matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name),
      );
      const missing = quoted.filter((text) => {
        if (/\.[a-z]{2,4}$/.test(text)) return isLostFile(text);
        const [first = ''] = text.split(/[.(]/);
        return aName.test(text) && isMissing(text) && !examples.includes(` ${first} `);
      });
      return [...new Set(missing)].map((name) => `${path} \`${name}\``);
    });
  },
  sample: {
    'src/store/a.ts': `
      // \`Store.commit\` calls \`flush(signals)\`, not \`Store.forget\`; see \`oldName\` and \`setTimeout\`.
      /** The text \`at ⇥ rest\`, \`Content-Type\`, \`useState\`, \`#hidden\` and \`gone()\`. */
      export class Store { #hidden = 1; commit() { flush(); forget(); } }`,
    'src/store/b.ts': `/** See \`a.ts\` and \`c.ts\`; \`saved.at()\`. @example const saved = 1; */`,
    'src/openapi/d.ts': `/** \`user_id\` */`,
  },
  finds: [
    'src/store/a.ts `Store.forget`',
    'src/store/a.ts `oldName`',
    'src/store/a.ts `gone()`',
    'src/store/b.ts `c.ts`',
  ],
};

const withoutCode = (comment: string): string => comment.replace(/```[\s\S]*?```/g, '');

export const commentRules: readonly Rule[] = [namesExist];
