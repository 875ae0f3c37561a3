// A newcomer follows docs/getting-started.md word for word: the packed library, the code of the page, its database in a json-server.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startJsonServer, type JsonServer } from '../../examples/demo/jsonServer.ts';
import { solidJsx } from '../../examples/ssr/bundle.ts';
import { blocksOf, root, type Block, type Framework } from '../docs/blocks.ts';
import { createConsumer, type Consumer } from '../setup/packed.ts';

const path = 'docs/getting-started.md';
// a reader does not see comments
const text = readFileSync(root + path, 'utf8').replaceAll(/<!--[\s\S]*?-->/g, '');
const blocks = blocksOf(path, text);

let consumer: Consumer;
let server: JsonServer;
beforeAll(() => {
  consumer = createConsumer(fileURLToPath(new URL('tutorial', import.meta.url)));
  consumer.link('happy-dom');
});
afterEach(() => server?.close());
afterAll(() => consumer?.remove());

/** The only code of the page with this text. */
function codeWith(part: string, framework?: Framework): string {
  const found = blocks.filter(
    (block) => block.framework === framework && block.code.includes(part),
  );
  if (found.length !== 1) throw new Error(`${found.length} blocks of the page have ${part}`);
  return found[0]?.code ?? '';
}

/** Replaces a text of the page, as the page instructs the reader. */
function replaced(code: string, from: string, to: string): string {
  expect(code).toContain(from);
  return code.replace(from, () => to);
}

/** `<App />; // => <p>Hello</p>` shows the result, and is no code of an application. */
const withoutResults = (code: string): string => code.replaceAll(/^<.*\/>; \/\/ =>.*$/gm, '');

const mounts: Readonly<Record<Exclude<Framework, 'node'>, string>> = {
  react: `import { createRoot } from 'react-dom/client'; createRoot(main).render(<App />);`,
  preact: `import { render } from 'preact'; render(<App />, main);`,
  solid: `import { render } from 'solid-js/web'; render(() => <App />, main);`,
};

/** Writes the files that the page describes; the last step makes the list optimistic. */
function writeApplication(framework: Exclude<Framework, 'node'>, url: string): void {
  const data = replaced(codeWith('static schema'), 'https://api.example.com', url);
  const controller = codeWith('new Controller()');
  const [app, ...steps] = blocks.filter((block) => block.framework === framework) as [
    Block,
    ...Block[],
  ];
  const children = '<><TodoDetail id={1} /><TodoList /><Finish id={1} /></>';
  const files = {
    'todo.ts': replaced(data, 'schema: Todo,', 'schema: Todo, optimistic: true,'),
    'app.tsx': [
      `import { optimistic } from 'signalbox'; import { Todo, TodoResource } from './todo';`,
      replaced(controller, 'new Controller()', 'new Controller({ optimistic })'),
      replaced(app.code, '<p>Hello</p>', children),
      ...steps.map(({ code }) => code),
      `export async function change() {${codeWith('TodoResource.delete')}}`,
      `const main = document.querySelector('main')!; ${mounts[framework]}`,
    ]
      .map(withoutResults)
      .join('\n'),
  };
  const folder = join(consumer.folder, `app-${framework}`);
  mkdirSync(folder);
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
}

test.each(['react', 'preact', 'solid'] as const)(
  '[PACKAGE] getting started, followed word for word with the packed library, ends with an optimistic list (%s)',
  async (framework) => {
    server = await startJsonServer(JSON.parse(codeWith('"todos"')) as object);
    writeApplication(framework, server.url);
    await build({
      absWorkingDir: consumer.folder,
      entryPoints: [`app-${framework}/app.tsx`],
      outfile: 'app.mjs',
      bundle: true,
      platform: 'browser',
      format: 'esm',
      jsx: 'automatic',
      jsxImportSource: framework,
      tsconfigRaw: {},
      define: { 'process.env.NODE_ENV': '"development"' },
      plugins: framework === 'solid' ? [solidJsx('client', 'app', false)] : [],
      logLevel: 'error',
    });
    const states = JSON.parse(consumer.run('follow.mjs', server.url)) as unknown;
    const [page, list] = ['<h1>Buy milk by Ada</h1>', '<ul><li>Buy milk</li></ul>'];
    expect(states).toEqual({
      loaded: `${page}${list}<button>open</button>`,
      // before the response
      finished: `${page}${list}<button>done</button>`,
      optimistic: '<ul><li>Buy milk</li><li>Call Grace</li></ul>',
      confirmed: '<ul><li>Call Grace</li></ul>',
      stored: [{ id: 2, userId: 1, title: 'Call Grace' }],
    });
  },
);
