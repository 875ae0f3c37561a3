// The files that may use each package and each part of the platform. An allowance that no file uses is a violation, too.
import type { Rule } from './Rule.ts';
import type { Source, Use } from './sources.ts';

interface Allowance<T> {
  readonly what: string;
  readonly is: (use: T) => boolean;
  /** Files that may use the package or the global; each pattern matches a file that does. */
  readonly users: readonly RegExp[];
}

const packages: readonly Allowance<string>[] = [
  ['@preact/signals-core', /^@preact\/signals-core$/, [/^src\/signals\.ts$/]],
  ['msw', /^msw($|\/)/, [/^src\/testing\//]],
  ['@scalar', /^@scalar\/(openapi-parser|json-magic)($|\/)/, [/^src\/openapi\//]],
  ['oxc-parser', /^oxc-parser$/, [/^src\/command\//]],
  ['node', /^node:/, [/^src\/command\//, /^src\/openapi\//, /^src\/ssr\/node\.ts$/]],
  [
    'React',
    /^react(-dom)?($|\/)|^@preact\/signals-react($|\/)|^@react-navigation\//,
    [/^adapters\/react\//, /^src\/data-client\//],
  ],
  ['Preact', /^preact($|\/)|^@preact\/signals$/, [/^adapters\/preact\//]],
  ['Solid', /^solid-js($|\/)/, [/^adapters\/solid(?:2|-shared)?\//]],
].map(([what, pattern, users]) => ({
  what: what as string,
  is: (specifier) => (pattern as RegExp).test(specifier),
  users: users as RegExp[],
}));

const timers =
  /^((set|clear)(Timeout|Interval|Immediate)|(request|cancel)(AnimationFrame|IdleCallback)|performance)$/;

// `Date` as a type, in `instanceof`, or passed as a value does not read the time.
const readsTime = ({ name, how }: Use): boolean =>
  timers.test(name) ||
  (name === 'Date' && ['new', 'call', '.now'].includes(how)) ||
  (name === 'AbortSignal' && how === '.timeout');

const named =
  (...names: string[]) =>
  ({ name }: Use): boolean =>
    names.includes(name);

const globals: readonly Allowance<Use>[] = [
  { what: 'time', is: readsTime, users: [/^src\/clock\.ts$/] },
  { what: 'the console', is: named('console'), users: [/^src\/errors\.ts$/] },
  {
    // development checks, each in a file that production builds drop
    what: 'the kind of build',
    is: named('NODE_ENV'),
    users: [
      /^adapters\/Cancellable\.ts$/,
      /^src\/errors\.ts$/,
      /^src\/endpoint\/argumentChecks\.ts$/,
      /^src\/schema\/schemaChecks\.ts$/,
      /^src\/rest\/responseChecks\.ts$/,
      /^src\/rest\/RestBase\.ts$/,
      /^src\/store\/records\/RecordObservers\.ts$/,
    ],
  },
  {
    what: 'network',
    is: named('fetch', 'Request', 'Response', 'URL', 'XMLHttpRequest'),
    users: [/^src\/rest\//],
  },
  // Transport.ts reads these constructors from globalThis
  { what: 'streams', is: named('EventSource', 'WebSocket'), users: [] },
  {
    what: 'members that a platform may lack',
    is: ({ name, how }) => name === 'globalThis' && how === 'value',
    users: [
      /^adapters\/react\/renderDataHook\.ts$/,
      /^src\/clock\.ts$/,
      /^src\/data-client\/DevToolsManager\.ts$/,
      /^src\/devtools\/connectDevTools\.ts$/,
      /^src\/devtools\/panel\/openPanel\.ts$/,
      /^src\/offline\/(?:LogEntry|logData)\.ts$/,
      /^src\/persist\/persist\.ts$/,
      /^src\/rest\/request\.ts$/,
      /^src\/schema\/serialize\.ts$/,
      /^src\/ssr\/Hydration\.ts$/,
      /^src\/streams\/Transport\.ts$/,
      /^src\/sync\/(?:Locks|PersistStorage)\.ts$/,
      /^src\/testing\/(?:createRenderDataHook|routesOf)\.ts$/,
    ],
  },
  {
    what: 'the page',
    is: named('document', 'window', 'navigator', 'addEventListener', 'removeEventListener'),
    users: [
      /^src\/page\.ts$/,
      /^src\/sync\/Locks\.ts$/,
      /^src\/persist\/opfsStorage\.ts$/,
      /^adapters\//,
    ],
  },
  {
    what: 'other tabs',
    is: named('BroadcastChannel'),
    users: [/^src\/sync\/TabChannel\.ts$/],
  },
];

const mayUse = ({ users }: { readonly users: readonly RegExp[] }, path: string): boolean =>
  users.some((user) => user.test(path));

const packagesWhereAllowed: Rule = {
  title: 'each package is imported only by the files that may',
  find: (sources) =>
    sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier, target }) => {
          const allowance = packages.find(({ is }) => is(specifier));
          return target === undefined && (allowance === undefined || !mayUse(allowance, path));
        })
        .map(({ specifier }) => `${path} imports ${specifier}`),
    ),
  sample: {
    'src/signals.ts': `import { signal } from '@preact/signals-core';`,
    'src/store/a.ts': `import { signal } from '@preact/signals-core';`,
    'adapters/react/b.ts': `import { useState } from 'react';\nimport 'preact/hooks';`,
    'src/view/c.ts': `const left = await import('left-pad');`,
  },
  finds: [
    'src/store/a.ts imports @preact/signals-core',
    'adapters/react/b.ts imports preact/hooks',
    'src/view/c.ts imports left-pad',
  ],
};

const globalsWhereAllowed: Rule = {
  title: 'time, console, network and page are used only by the files that may',
  find: (sources) =>
    sources.flatMap(({ path, free }) =>
      globals
        .filter((allowance) => !mayUse(allowance, path))
        .flatMap(({ what, is }) =>
          free.filter(is).map(({ name }) => `${path} uses ${name} (only for ${what})`),
        ),
    ),
  sample: {
    'src/clock.ts': `export const clock = () => Date.now();`,
    'src/store/a.ts': `const t = Date.now();\nsetTimeout(f, 1);\nconst u = new Date(1);`,
    'src/view/b.ts': `console.log(process.env.NODE_ENV);\nglobalThis.fetch(new URL('x'));`,
    'src/view/e.ts': `const Stream = Reflect.get(globalThis, 'WebSocket'); new EventSource('x');`,
    'src/view/c.ts': `f(AbortSignal.timeout(1));\nlet answer: Response;`,
    // members, types of dates and own names
    'src/store/d.ts': `
      import { setTimeout } from './clock.ts';
      interface Port { fetch(URL: string): void; performance: Date }
      const port = { fetch: 1, console: 2 };
      controller.fetch(port.fetch, value instanceof Date);
      const { now: performance } = port;
      setTimeout(performance);
      export { Response } from './rest.ts';`,
  },
  finds: [
    'src/store/a.ts uses Date (only for time)',
    'src/store/a.ts uses setTimeout (only for time)',
    'src/store/a.ts uses Date (only for time)',
    'src/view/b.ts uses console (only for the console)',
    'src/view/b.ts uses NODE_ENV (only for the kind of build)',
    'src/view/b.ts uses fetch (only for network)',
    'src/view/b.ts uses URL (only for network)',
    'src/view/e.ts uses EventSource (only for streams)',
    'src/view/e.ts uses globalThis (only for members that a platform may lack)',
    'src/view/c.ts uses AbortSignal (only for time)',
    'src/view/c.ts uses Response (only for network)',
  ],
};

const unused = (what: string, user: RegExp): string => `${what}: no file at ${user.source} uses it`;

const unusedOf = <T>(
  allowances: readonly Allowance<T>[],
  sources: readonly Source[],
  usesOf: (source: Source) => readonly T[],
): string[] =>
  allowances.flatMap(({ what, is, users }) =>
    users
      .filter((user) => !sources.some((each) => user.test(each.path) && usesOf(each).some(is)))
      .map((user) => unused(what, user)),
  );

const allowancesUsed: Rule = {
  title: 'each allowance of a package or a global is used',
  find: (sources) => [
    ...unusedOf(packages, sources, ({ imports }) => imports.map(({ specifier }) => specifier)),
    ...unusedOf(globals, sources, ({ free }) => free),
  ],
  sample: {
    'src/clock.ts': `export const now = () => Date.now();`,
    'src/testing/msw.ts': `import { http } from 'msw';`,
    'src/store/a.ts': `new EventSource('x');`,
  },
  finds: [...packages, ...globals]
    .filter(({ what }) => what !== 'time' && what !== 'msw')
    .flatMap(({ what, users }) => users.map((user) => unused(what, user))),
};

export const platformRules: readonly Rule[] = [
  packagesWhereAllowed,
  globalsWhereAllowed,
  allowancesUsed,
];
