/**
 * The figures of the home page (docs/index.md): `node scripts/figures.mjs`, after `npm run build` and
 * `npm ci --prefix benchmarks`. Prints JSON.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { Window } from 'happy-dom';

const root = fileURLToPath(new URL('..', import.meta.url));
const ROWS = 10_000;

// inside of the repository, so that imported packages are found
const folder = mkdtempSync(join(root, 'node_modules/.figures-'));
try {
  console.log(JSON.stringify(await collect(), null, 2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function collect() {
  return {
    requests: await countRequests('signalbox.ts'),
    requestsOfTanStackQuery: await countRequests('tanstack.js'),
    gzipKiB: weigh(),
    rows: ROWS,
    changedRows: await countRenders(),
    programs: programsPerTestRun(),
  };
}

/** Requests of a session in an issue tracker: benchmarks/requests/session.ts. */
async function countRequests(app) {
  const { playSession, createApp } = await load(
    `export { playSession } from './session.ts'; export { createApp } from './${app}';`,
    join(root, 'benchmarks/requests'),
  );
  return playSession(createApp);
}

/** The gzip column of the React application in the table of sizes. */
function weigh() {
  const table = execFileSync(process.execPath, [join(root, 'scripts/size.mjs')], {
    encoding: 'utf8',
  });
  const [, gzip] = /^createResource app, React +[\d.]+ +([\d.]+)/m.exec(table) ?? [];
  return Number(gzip);
}

/** The rows of a React list that render after a single row has changed. */
async function countRenders() {
  const window = new Window();
  Object.assign(globalThis, { window, document: window.document });
  const { changeOne } = await load(
    `import { createElement as h } from 'react';
     import { createRoot } from 'react-dom/client';
     import { flushSync } from 'react-dom';
     import { Controller, createResource, Entity } from 'signalbox';
     import { For, Provider } from 'signalbox/react';

     class Todo extends Entity {
       static key = 'Todo';
       id = 0;
       title = '';
     }
     const { getList } = createResource({ path: '/todos/:id', schema: Todo });

     export async function changeOne(rows) {
       const controller = new Controller();
       const all = Array.from({ length: rows }, (_, id) => ({ id: id + 1, title: 'row ' + id }));
       await controller.setResponse(getList, all);
       let renders = 0;
       const Row = ({ todo }) => h('li', null, todo.title, void renders++);
       const children = (todo) => h(Row, { todo });
       const list = h(For, { each: getList, children });
       const root = createRoot(document.createElement('ul'));
       flushSync(() => root.render(h(Provider, { controller }, list)));
       await new Promise((resolve) => setTimeout(resolve, 100));
       if (renders !== rows) throw new Error('The list has rendered ' + renders + ' rows.');
       renders = 0;
       await controller.set(Todo, { id: 5 }, { title: 'changed' });
       await new Promise((resolve) => setTimeout(resolve, 100));
       return renders;
     }`,
    root,
  );
  return changeOne(ROWS);
}

/** Random programs that each run of the tests compares with a model. */
function programsPerTestRun() {
  const [read, share] = ['runs.ts', 'program.test.ts'].map((name) =>
    readFileSync(join(root, 'test/laws', name), 'utf8'),
  );
  return Number(/: (\d+);/.exec(read)[1]) * Number(/runs\((\d+)\)/.exec(share)[1]);
}

async function load(contents, resolveDir) {
  const outfile = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  const entry = (path) => join(root, 'dist/esm', path);
  await build({
    stdin: { contents, resolveDir },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfigRaw: {},
    alias: {
      'signalbox/react': entry('adapters/react/index.js'),
      signalbox: entry('src/index.js'),
    },
    nodePaths: [join(root, 'node_modules'), join(root, 'benchmarks/node_modules')],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return import(pathToFileURL(outfile).href);
}
