// Rules of DESIGN.md §2 about files: their names, their first lines, and the smallest size of a separate file.
import { baseName, targetsOf, type Rule } from './Rule.ts';
import type { Any, Source } from './sources.ts';

/** Files with a main export that cannot be the name of the file, each with the reason in a line. */
const namedOtherwise: Readonly<Record<string, string>> = {
  'adapters/react/react.ts':
    'the parts of React that a server component lacks, under their own names',
  'adapters/react/signals.server.ts': 'an entry point for one export condition',
  'adapters/react/testing.server.ts': 'an entry point for one export condition',
  'adapters/solid2/solid.ts': 'the exports of Solid 2.0, typed by hand',
  'src/eslint-plugin/ast.ts': 'the parts of the syntax tree and of ESLint that the rules use',
  'src/errors.ts': 'messages in several forms: errors, warnings, short texts',
  'src/page.ts': 'the state of the page and its events',
  'src/query/engine/aggregates.ts': 'the five figures, each a small function',
  'src/signals.ts': 'the exports of the signal engine that the library uses',
  'src/rest/request.ts': 'the steps that create a request, each a function',
  'src/rest/response.ts': 'the steps that read a response, each a function',
  'src/schema/containers.ts': 'the two plain containers, array and object',
  'src/persist/recordCodec.ts': 'encodes and decodes stored records',
  'src/offline/logData.ts': 'encodes and decodes log records',
  'src/schema/wire.ts': 'encodes and decodes values for JSON',
  'src/data-client/test.server.ts': 'an entry point for one export condition',
  'src/data-client/schemaKinds.ts': 'a namespace with the kinds under the names of Data Client',
  'src/schemaKinds.ts': 'a namespace with the kinds under their public names',
  'src/store/StorePort.ts': 'what products and tools use of the store',
  'src/store/records/versioning.ts': 'one rule in several small functions',
};

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

const hasItsName = ({ path, exports }: Source): boolean => {
  const expected = lowerFirst(baseName(path).replace(/\.[^.]+$/, ''));
  return exports.some((name) => lowerFirst(name) === expected);
};

const meaningfulName = (entries: ReadonlySet<string>): Rule => ({
  title: 'no file is called types, utils or helpers, or is an inner barrel',
  find: (sources) =>
    sources
      .map(({ path }) => path)
      .filter((path) => {
        if (/\.d\.[cm]?ts$/.test(path) || /^(types|util|helper)/i.test(baseName(path))) return true;
        return baseName(path) === 'index.ts' && !entries.has(path);
      }),
  sample: {
    'src/schema/types.ts': ``,
    'src/schema/index.ts': `export { a } from './a.ts';`,
    'src/index.ts': ``,
    'src/schema/Entity.ts': ``,
  },
  finds: ['src/schema/types.ts', 'src/schema/index.ts'],
});

const namedAsItsExport = (entries: ReadonlySet<string>): Rule => ({
  title: 'a file is named after its main export; only the first letter may differ in case',
  find: (sources) => {
    const paths = new Set(sources.map(({ path }) => path));
    const isWhole = paths.has('src/index.ts');
    return sources
      .filter(({ path }) => !entries.has(path))
      .filter((source) => (namedOtherwise[source.path] === undefined) !== hasItsName(source))
      .map(({ path, exports }) =>
        namedOtherwise[path] === undefined
          ? `${path} exports ${exports.join(', ') || 'nothing'}`
          : `${path} needs no exemption`,
      )
      .concat(
        Object.keys(namedOtherwise)
          .filter((path) => isWhole && !paths.has(path))
          .map((path) => `${path} is exempt and does not exist`),
      );
  },
  sample: {
    'src/schema/order.ts': `export const sorted = 1;`,
    'src/schema/Entity.ts': `export class entity {}`,
    'src/schema/wire.ts': `export const wire = 1;`,
  },
  finds: ['src/schema/order.ts exports sorted', 'src/schema/wire.ts needs no exemption'],
});

const SMALL = 40;

/**
 * A small file is a fragment of the only importer. Files are exempt if they are entries, or if an entry exports their
 * names: a hook, for example.
 */
const noFragment = (entries: ReadonlySet<string>): Rule => ({
  title: 'no file under 40 lines has a single importer',
  find: (sources) => {
    const importers = new Map<string, Set<string>>();
    const passedOn = new Set<string>();
    for (const source of sources) {
      for (const target of targetsOf(source))
        importers.set(target, (importers.get(target) ?? new Set()).add(source.path));
      if (entries.has(source.path))
        for (const { target, isExport } of source.imports)
          if (target !== undefined && isExport) passedOn.add(target);
    }
    return sources
      .filter(
        ({ path, lines }) => lines.length < SMALL && !entries.has(path) && !passedOn.has(path),
      )
      .flatMap(({ path }) => {
        const [only, ...others] = importers.get(path) ?? [];
        return only === undefined || others.length > 0 ? [] : [`${path} belongs in ${only}`];
      });
  },
  sample: {
    'src/index.ts': `export { d } from './store/d.ts';`,
    'src/store/a.ts': `import { b } from './b.ts'; import { c } from './c.ts'; import { e } from './e.ts';`,
    'src/store/b.ts': `import { c } from './c.ts';`,
    'src/store/c.ts': ``,
    'src/store/d.ts': ``,
    'src/store/e.ts': '\n'.repeat(SMALL),
  },
  finds: ['src/store/b.ts belongs in src/store/a.ts'],
});

const startsWithSentence: Rule = {
  title: 'each file starts with a sentence that describes its contents',
  find: (sources) =>
    sources
      .filter(({ lines }) => !/^\/[/*]+\s+(\S+\s+){2,}\S+/.test(lines[0] ?? ''))
      .map(({ path }) => path),
  sample: {
    'src/store/a.ts': `let a: string;`,
    'src/store/b.ts': `/** Sum. */`,
    'src/store/c.ts': `/** The sum of all. */`,
  },
  finds: ['src/store/a.ts', 'src/store/b.ts'],
};

/**
 * `any` states the reason: `// any: why` on the same line, right above the line or the statement, or for a whole region
 * `// any begin: why` … `// any end` (without an end, to the end of the file).
 */
const anyWithReason: Rule = {
  title: 'each any has its reason',
  find: (sources) =>
    sources.flatMap((source) =>
      source.anys
        .filter((any) => !hasReason(source, any))
        .map(({ line }) => `${source.path}:${line} any without a reason`),
    ),
  sample: {
    'src/store/a.ts': [
      'let a: any;',
      'let b: any; // any: said on the line',
      '// any: said above',
      '// in two lines',
      'let c: (',
      '  a: string,',
      ') => any;',
      '// any begin: a block of types',
      '',
      'let d: any;',
      '// any end',
      'let e: any;',
    ].join('\n'),
  },
  finds: ['src/store/a.ts:1 any without a reason', 'src/store/a.ts:12 any without a reason'],
};

function hasReason({ comments }: Source, { line, from }: Any): boolean {
  const edge = comments
    .filter((comment) => comment.line <= line && /^any (begin:|end\b)/.test(comment.text))
    .at(-1);
  if (edge?.text.startsWith('any begin:') === true) return true;
  const endings = new Map(comments.map((comment) => [comment.endLine, comment]));
  let above = endings.get(line) ?? endings.get(line - 1) ?? endings.get(from - 1);
  // A reason may take several comment lines; the first line begins with `any:`.
  while (above !== undefined && !above.text.startsWith('any:')) above = endings.get(above.line - 1);
  return above !== undefined;
}

const nothingSuppressed: Rule = {
  title: 'no error of the type checker is suppressed',
  find: (sources) =>
    sources.flatMap(({ path, comments }) =>
      comments
        .filter(({ text }) => /@ts-(ignore|expect-error|nocheck)/.test(text))
        .map(({ line }) => `${path}:${line}`),
    ),
  sample: { 'src/store/a.ts': `// @ts-expect-error\nlet f: string = 1;` },
  finds: ['src/store/a.ts:1'],
};

export const fileRules = (entries: ReadonlySet<string>): readonly Rule[] => [
  meaningfulName(entries),
  namedAsItsExport(entries),
  noFragment(entries),
  startsWithSentence,
  anyWithReason,
  nothingSuppressed,
];
