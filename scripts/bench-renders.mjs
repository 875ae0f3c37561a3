/**
 * `npm run bench:renders`: the same clicks in an issue tracker, written with signalbox and with TanStack Query; how often
 * components render, plain and with memo, and how many requests are sent. `--clicks` prints each click. Needs a build, and the
 * peers of benchmarks/.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const libraries = { signalbox: 'signalbox', tanstackQuery: 'TanStack Query' };
const [, self, library, kind] = process.argv;

if (library in libraries) await sample();
else compare();

/** A process: clicks through the app of a library, and prints the counts as JSON. */
async function sample() {
  const { Window } = await import('happy-dom');
  const window = new Window({ url: 'http://tracker/' });
  Object.assign(globalThis, { window, document: window.document });
  const folder = join(root, 'benchmarks/tracker');
  const outfile = join(folder, `dist/${library}.mjs`);
  const own = (entry) => join(root, `dist/esm/${entry}`);
  await build({
    stdin: {
      contents: `
        export { play } from './play.tsx';
        export { ${library} as make } from './${library}.tsx';`,
      resolveDir: folder,
      loader: 'tsx',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    packages: 'bundle',
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    alias: { signalbox: own('src/index.js'), 'signalbox/react': own('adapters/react/index.js') },
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: {},
    logLevel: 'error',
  });
  const { play, make } = await import(pathToFileURL(outfile).href);
  console.log(JSON.stringify(await play(make, kind === 'memo')));
  process.exit(0);
}

function compare() {
  const env = { ...process.env, NODE_ENV: 'production' };
  for (const each of ['plain', 'memo']) {
    const [own, peer] = Object.keys(libraries).map((name) =>
      JSON.parse(String(execFileSync(process.execPath, [self, name, each], { env }))),
    );
    if (own.text !== peer.text) throw new Error(`The pages differ:\n${own.text}\n${peer.text}`);
    const sum = ({ renders }) => Object.values(renders).reduce((all, one) => all + one, 0);
    console.log(`\n${own.clicks} clicks, ${each}`.padEnd(24) + 'signalbox   TanStack Query');
    const print = (name, one, other) =>
      console.log(`${name.padEnd(23)}${String(one).padEnd(12)}${other}`);
    print('renders', sum(own), sum(peer));
    print('requests', own.requests, peer.requests);
    for (const name of Object.keys(own.renders))
      print(`  ${name}`, own.renders[name], peer.renders[name]);
    if (process.argv.includes('--clicks'))
      own.perClick.forEach(([name, renders, requests], at) =>
        print(
          `  ${name}`,
          `${renders} (${requests})`,
          `${peer.perClick[at][1]} (${peer.perClick[at][2]})`,
        ),
      );
  }
}
