// The rules of the architecture as pure functions: each takes the sources and returns the violations.
import type { Any, FunctionFacts, Source, Use } from './sources.ts';

export type Rule = (sources: readonly Source[]) => string[];

/** Modules by layer, the lowest first. The module of a file is the longest path here that the file's path begins with. */
const layers: Readonly<Record<string, number>> = {
  'src/errors.ts': 1,
  'src/clock.ts': 1,
  'src/page.ts': 1,
  'src/signals.ts': 1,
  'src/schema/': 2,
  'src/query/': 3,
  'src/store/': 4,
  'src/endpoint/': 4,
  'src/request/': 5,
  'src/rest/': 5,
  'src/view/': 6,
  'src/Controller.ts': 7,
  'src/live/': 7,
  'src/features/': 8,
  'src/index.ts': 9,
  'src/managers/': 10,
  'src/ssr/': 10,
  'src/testing/': 10,
  'src/devtools/': 10,
  'src/openapi/': 10,
  'src/eslint-plugin/': 10,
  'adapters/': 10,
  'adapters/react/': 11,
  'adapters/preact/': 11,
  'adapters/solid/': 11,
  'adapters/solid2/': 11,
  'adapters/react-native/': 11,
};

const moduleOf = (path: string): string | undefined =>
  Object.keys(layers)
    .filter((module) => path.startsWith(module))
    .sort((a, b) => b.length - a.length)[0];

const importsOf = (source: Source): string[] =>
  source.imports.flatMap(({ target }) => (target === undefined ? [] : [target]));

export const noUpwardImport: Rule = (sources) =>
  sources.flatMap((source) => {
    const module = moduleOf(source.path);
    if (module === undefined) return [`${source.path} is in no module of the table of layers`];
    return importsOf(source).flatMap((target) => {
      const below = moduleOf(target);
      if (below === undefined) return [`${source.path} imports ${target}, which is in no module`];
      if (below === module || (layers[below] as number) < (layers[module] as number)) return [];
      return [
        `${source.path} (layer ${layers[module]}) imports ${target} (layer ${layers[below]})`,
      ];
    });
  });

/** Type imports count: a cycle of types has no start for a reader either. */
export const noImportCycle: Rule = (sources) => {
  const graph = new Map(sources.map((source) => [source.path, importsOf(source)]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) cycles.push([...trail.slice(start), path].join(' → '));
    if (start !== -1 || done.has(path)) return;
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
};

/** The files that may import each package. A package that is not listed may not be imported. */
const packageImporters: readonly [RegExp, RegExp][] = [
  [/^@preact\/signals-core$/, /^src\/reactive\.ts$/],
  [/^@standard-schema\/spec$/, /^src\//],
  [/^msw($|\/)/, /^src\/testing\//],
  [/^@scalar\/(openapi-parser|json-magic)($|\/)/, /^src\/cli\//],
  [/^node:/, /^src\/(cli\/|ssr\/node\.ts$)/],
  [/^react(-dom)?($|\/)|^@preact\/signals-react($|\/)/, /^adapters\/(react|react-native)\//],
  [/^preact($|\/)|^@preact\/signals$/, /^adapters\/preact\//],
  [/^solid-js($|\/)/, /^adapters\/solid2?\//],
];

export const packagesWhereAllowed: Rule = (sources) =>
  sources.flatMap((source) =>
    source.imports
      .filter(({ specifier, target }) => {
        const importers = packageImporters.find(([name]) => name.test(specifier));
        return target === undefined && importers?.[1].test(source.path) !== true;
      })
      .map(({ specifier, line }) => `${source.path}:${line} imports ${specifier}`),
  );

const timers =
  /^((set|clear)(Timeout|Interval|Immediate)|(request|cancel)(AnimationFrame|IdleCallback)|performance)$/;

// `Date` as a type, in `instanceof`, or passed as a value does not read the time.
const readsTime = ({ name, how }: Use): boolean =>
  timers.test(name) ||
  (name === 'Date' && ['new', 'call', '.now'].includes(how)) ||
  (name === 'AbortSignal' && how === '.timeout');

/** The files that may use each group of global names. */
const globalUsers: readonly { what: string; is: (use: Use) => boolean; users: RegExp }[] = [
  { what: 'time', is: readsTime, users: /^src\/clock\.ts$/ },
  {
    what: 'the console',
    is: ({ name }) => name === 'console',
    users: /^src\/(diagnostics\.ts$|cli\/)/,
  },
  {
    // development checks, each in a file that production builds drop
    what: 'the kind of build',
    is: ({ name }) => name === 'NODE_ENV',
    users:
      /^adapters\/firstRenders\.ts$|^src\/(diagnostics\.ts$|endpoint\/argumentChecks\.ts$|schema\/schemaChecks\.ts$|rest\/(warnOfAnother|absentMember)\.ts$|store\/notifyHook\.ts$|cli\/)/,
  },
  {
    what: 'network',
    is: ({ name }) => /^(fetch|Request|Response|URL|XMLHttpRequest)$/.test(name),
    users: /^src\/rest\//,
  },
  {
    what: 'streams',
    is: ({ name }) => /^(EventSource|WebSocket)$/.test(name),
    users: /^src\/managers\/lineOf\.ts$/,
  },
  {
    what: 'the page',
    is: ({ name }) => /^(document|window|navigator|(add|remove)EventListener)$/.test(name),
    users: /^(src\/surroundings\.ts$|src\/managers\/(platformLocks|opfsStorage)\.ts$|adapters\/)/,
  },
  {
    what: 'other tabs',
    is: ({ name }) => name === 'BroadcastChannel',
    users: /^src\/managers\/TabChannel\.ts$/,
  },
];

export const globalsWhereAllowed: Rule = (sources) =>
  sources.flatMap((source) =>
    globalUsers
      .filter(({ users }) => !users.test(source.path))
      .flatMap(({ what, is }) =>
        source.free
          .filter(is)
          .map(({ name, line }) => `${source.path}:${line} uses ${name} (only for ${what})`),
      ),
  );

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const meaningfulFileNames =
  (entryPoints: ReadonlySet<string>): Rule =>
  (sources) =>
    sources
      .map(({ path }) => path)
      .filter((path) => {
        if (/\.d\.[cm]?ts$/.test(path) || /^(types|util|helper)/i.test(baseName(path))) return true;
        return baseName(path) === 'index.ts' && !entryPoints.has(path);
      });

export const noDefaultExport: Rule = (sources) =>
  sources.filter(({ exports }) => exports.includes('default')).map(({ path }) => path);

/** In `src`; adapters export the same names for each framework. `exempt`: names that two files still share. */
export const exportedOnce =
  (exempt: readonly string[]): Rule =>
  (sources) => {
    const files = new Map<string, Set<string>>();
    for (const { path, own } of sources.filter(({ path }) => path.startsWith('src/')))
      for (const name of own) files.set(name, (files.get(name) ?? new Set()).add(path));
    return [...files]
      .filter(([name, paths]) => paths.size > 1 && !exempt.includes(name))
      .map(([name, paths]) => `${name} is exported by ${[...paths].join(' and ')}`);
  };

/** One export has the file's name; only the first letter's case may differ. */
export const namedAsItsExport =
  (entryPoints: ReadonlySet<string>, exempt: Readonly<Record<string, string>>): Rule =>
  (sources) =>
    sources
      .filter(({ path }) => !entryPoints.has(path) && exempt[path] === undefined)
      .filter(({ path, exports }) => {
        const expected = lowerFirst(baseName(path).replace(/\.[^.]+$/, ''));
        return !exports.some((name) => lowerFirst(name) === expected);
      })
      .map(({ path, exports }) => `${path} exports ${exports.join(', ') || 'nothing'}`);

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

interface Budget {
  file: number;
  function: number;
  depth: number;
  parameters: number;
}

const budget: Budget = { file: 250, function: 60, depth: 3, parameters: 4 };

/** A budget may be raised for one file, with the reason in one line. */
export type Raised = Readonly<Record<string, Partial<Budget> & { because: string }>>;

export const withinBudget =
  (raised: Raised): Rule =>
  (sources) =>
    sources.flatMap((source) => {
      const allowed = { ...budget, ...raised[source.path] };
      const tooLong = source.lines.length > allowed.file;
      return [
        ...(tooLong ? [`${source.path}: ${source.lines.length} lines of ${allowed.file}`] : []),
        ...source.functions.flatMap((each) => overspent(source.path, each, allowed)),
      ];
    });

function overspent(path: string, each: FunctionFacts, allowed: Budget): string[] {
  const spent = [
    ['lines', each.lines, allowed.function],
    ['nested blocks', each.depth, allowed.depth],
    ['parameters', each.parameters, allowed.parameters],
  ] as const;
  return spent
    .filter(([, used, limit]) => used > limit)
    .map(([what, used, limit]) => `${path}:${each.line} ${each.name}: ${used} ${what} of ${limit}`);
}

/**
 * `any` states its reason: `// any: why` on its line or right above it or its
 * statement, or for a whole region
 * `// any begin: why` … `// any end` (without an end, to the end of the file).
 */
export const anyWithReason: Rule = (sources) =>
  sources.flatMap((source) =>
    source.anys
      .filter((any) => !hasReason(source, any))
      .map(({ line }) => `${source.path}:${line} any without a reason`),
  );

function hasReason({ comments }: Source, { line, from }: Any): boolean {
  const edge = comments
    .filter((comment) => comment.line <= line && /^any (begin:|end\b)/.test(comment.text))
    .at(-1);
  if (edge?.text.startsWith('any begin:') === true) return true;
  const endings = new Map(comments.map((comment) => [comment.endLine, comment]));
  let above = endings.get(line) ?? endings.get(line - 1) ?? endings.get(from - 1);
  // A reason may take several comment lines; its first one says `any:`.
  while (above !== undefined && !above.text.startsWith('any:')) above = endings.get(above.line - 1);
  return above !== undefined;
}

export const noIgnore: Rule = (sources) =>
  sources.flatMap(({ path, comments }) =>
    comments
      .filter(({ text }) => /@ts-(ignore|expect-error|nocheck)/.test(text))
      .map(({ line }) => `${path}:${line}`),
  );

export const startsWithSentence: Rule = (sources) =>
  sources
    .filter(({ lines }) => !/^\/[/*]+\s+(\S+\s+){2,}\S+/.test(lines[0] ?? ''))
    .map(({ path }) => path);

export interface Figures {
  files: number;
  lines: number;
  commentShare: number;
  functions: number;
  shareUnder30: number;
  longestFile: string;
  longestFunction: string;
  deepest: string;
  anys: number;
}

export function figuresOf(sources: readonly Source[]): Figures {
  const lines = sum(sources.map((source) => source.lines.length));
  const functions = sources.flatMap(({ path, functions: all }) =>
    all.map((each) => ({ ...each, place: `${path}:${each.line} ${each.name}` })),
  );
  const longestFile = most(sources, (source) => source.lines.length);
  const longest = most(functions, (each) => each.lines);
  const deepest = most(functions, (each) => each.depth);
  return {
    files: sources.length,
    lines,
    commentShare: sum(sources.map(commentLines)) / lines,
    functions: functions.length,
    shareUnder30: functions.filter((each) => each.lines < 30).length / functions.length,
    longestFile: `${longestFile?.path} (${longestFile?.lines.length})`,
    longestFunction: `${longest?.place} (${longest?.lines})`,
    deepest: `${deepest?.place} (${deepest?.depth})`,
    anys: sum(sources.map((source) => source.anys.length)),
  };
}

const commentLines = ({ comments }: Source): number =>
  sum(comments.map((comment) => comment.endLine - comment.line + 1));

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

const most = <T>(items: readonly T[], measure: (item: T) => number): T | undefined =>
  items.reduce<T | undefined>(
    (best, item) => (best === undefined || measure(item) > measure(best) ? item : best),
    undefined,
  );
