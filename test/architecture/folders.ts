// Rules of DESIGN.md §1: the folders, their order, and the store's port.
import type { Rule } from './Rule.ts';
import type { Source } from './sources.ts';

/** The folders from the lowest to the highest; folders on the same line do not import each other. */
const order: readonly (readonly string[])[] = [
  ['src/errors.ts', 'src/signals.ts', 'src/clock.ts', 'src/page.ts'],
  ['src/schema/'],
  ['src/endpoint/'],
  ['src/rest/', 'src/query/engine/'],
  ['src/store/records/'],
  ['src/store/entities/'],
  ['src/store/lists/'],
  ['src/store/results/'],
  ['src/store/gc/'],
  ['src/store/writes/'],
  ['src/store/'],
  ['src/query/', 'src/request/'],
  ['src/optimistic/'],
  ['src/view/'],
  ['src/live/'],
  ['src/related/'],
  ['src/Controller.ts'],
  ['src/schemaKinds.ts', 'src/sync/'],
  [
    'src/index.ts',
    'src/persist/',
    'src/offline/',
    'src/tabs/',
    'src/streams/',
    'src/ssr/',
    'src/devtools/',
    'src/testing/',
    'src/openapi/',
    'src/eslint-plugin/',
  ],
  ['adapters/'],
  ['adapters/react/', 'adapters/preact/', 'adapters/solid/', 'adapters/solid2/'],
  ['src/data-client/', 'src/command/'],
];

const ranks = new Map(order.flatMap((line, rank) => line.map((folder) => [folder, rank])));

/** The folder of a file: the longest path of the order that the file's path begins with. */
export const folderOf = (path: string): string | undefined =>
  [...ranks.keys()]
    .filter((folder) => path.startsWith(folder))
    .sort((a, b) => b.length - a.length)[0];

const goesUp = (from: string, to: string): boolean =>
  from !== to && (ranks.get(to) as number) >= (ranks.get(from) as number);

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

const edgesOf = (sources: readonly Source[]): Edge[] =>
  sources.flatMap(({ path, imports }) =>
    imports.flatMap(({ target, isType }) =>
      target === undefined ? [] : [{ from: path, to: target, isType }],
    ),
  );

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

const importsGoDown: Rule = {
  title: 'folders import from lower folders only, types included',
  find: (sources) => [
    ...sources
      .filter(({ path }) => folderOf(path) === undefined)
      .map(({ path }) => `${path} is in no folder of the order`),
    ...unique(
      edgesOf(sources)
        .filter(({ from, to }) => {
          const [lower, upper] = [folderOf(from), folderOf(to)];
          return lower !== undefined && (upper === undefined || goesUp(lower, upper));
        })
        .map(({ from, to }) => `${from} → ${to}`),
    ),
  ],
  sample: {
    'src/schema/a.ts': `import type { View } from '../view/View.ts';`,
    'src/store/lists/b.ts': `export * from '../records/c.ts';`,
    'src/store/records/c.ts': `import { b } from '../lists/b.ts';`,
    'src/tabs/d.ts': `import { e } from '../persist/e.ts'; import { f } from '../sync/f.ts';`,
    'src/view/View.ts': `import { a } from '../schema/a.ts'; import { g } from './g.ts';`,
    'src/stray.ts': ``,
  },
  finds: [
    'src/stray.ts is in no folder of the order',
    'src/schema/a.ts → src/view/View.ts',
    'src/store/records/c.ts → src/store/lists/b.ts',
    'src/tabs/d.ts → src/persist/e.ts',
  ],
};

/** Maps each name to all names that can be reached from there. */
function reachable(graph: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const start of graph.keys()) {
    const reached = new Set<string>();
    const open = [start];
    for (let name = open.pop(); name !== undefined; name = open.pop())
      for (const next of graph.get(name) ?? [])
        if (!reached.has(next)) {
          reached.add(next);
          open.push(next);
        }
    all.set(start, reached);
  }
  return all;
}

function graphOf(edges: readonly (readonly [string, string])[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of edges)
    if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
}

const noFolderCycle: Rule = {
  title: 'no folder imports itself through other folders, types included',
  /** Of each cycle, the imports that lead up. */
  find: (sources) => {
    const edges = edgesOf(sources).map(
      ({ from, to }) => [folderOf(from) ?? from, folderOf(to) ?? to] as const,
    );
    const reached = reachable(graphOf(edges));
    const cyclic = edges.filter(
      ([from, to]) => reached.get(to)?.has(from) === true && goesUp(from, to),
    );
    return unique(cyclic.map(([from, to]) => `${from} → ${to}`));
  },
  sample: {
    'src/schema/a.ts': `import type { b } from '../endpoint/b.ts';`,
    'src/endpoint/b.ts': `import { c } from '../rest/c.ts';`,
    'src/rest/c.ts': `export type d = import('../schema/d.ts').d;`,
    'src/view/e.ts': `import { f } from '../live/f.ts';`,
  },
  finds: ['src/schema/ → src/endpoint/', 'src/endpoint/ → src/rest/'],
};

const noValueCycle: Rule = {
  title: 'no file imports itself through other files; types inside of a folder are free',
  find: (sources) => {
    const graph = graphOf(
      edgesOf(sources)
        .filter(({ isType }) => !isType)
        .map(({ from, to }) => [from, to]),
    );
    const reached = reachable(graph);
    return [...graph].flatMap(([from, targets]) =>
      [...targets]
        .filter((to) => from < to && reached.get(to)?.has(from) === true)
        .map((to) => `${from} → ${to}`),
    );
  },
  sample: {
    'src/schema/a.ts': `import { b } from './b.ts'; import type { d } from './d.ts';`,
    'src/schema/b.ts': `export { c } from './c.ts';`,
    'src/schema/c.ts': `const a = await import('./a.ts');`,
    'src/schema/d.ts': `import { a } from './a.ts'; export type c = import('./c.ts').c;`,
  },
  finds: ['src/schema/a.ts → src/schema/b.ts', 'src/schema/b.ts → src/schema/c.ts'],
};

const PORT = 'src/store/StorePort.ts';
/** The folders that know the store from inside, and the two files that only pass public names on. */
const runtime =
  /^src\/(?:(?:store|optimistic|request|view|live|related|query)\/|(?:Controller|index|schemaKinds)\.ts$)/;

const storeThroughPort: Rule = {
  title: 'from outside of the runtime, the store is imported only through its port',
  find: (sources) =>
    unique(
      edgesOf(sources)
        .filter(({ from, to }) => to.startsWith('src/store/') && to !== PORT && !runtime.test(from))
        .map(({ from, to }) => `${from} → ${to.slice('src/store/'.length)}`),
    ),
  sample: {
    'src/persist/a.ts': `import type { Store } from '../store/Store.ts'; import { onWrite } from '../store/StorePort.ts';`,
    'adapters/b.ts': `import { Result } from '../src/store/results/Result.ts';`,
    'src/view/c.ts': `import type { Store } from '../store/Store.ts';`,
  },
  finds: ['src/persist/a.ts → Store.ts', 'adapters/b.ts → results/Result.ts'],
};

export const folderRules: readonly Rule[] = [
  importsGoDown,
  noFolderCycle,
  noValueCycle,
  storeThroughPort,
];
