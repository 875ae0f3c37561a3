/** Opens the apps of the page benchmark in a browser, each on a page of its own. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright';
import { bundleApp } from './bundle.ts';
import type { Play } from './play.ts';

export interface Site {
  /** A fresh page with the app, before anything is drawn. What goes wrong in it is thrown by `close`. */
  open(name: string): Promise<Opened>;
  /** The first 100 rows on a page that is still without the script of the app, ms. */
  load(name: string): Promise<Loaded>;
  close(): void;
}

export interface Loaded {
  /** Parsing, compiling and running the script, which the page has as text already. */
  readonly script: number;
  /** From the call to the rows on the page. */
  readonly show: number;
}

export interface Opened {
  readonly page: Page;
  readonly close: () => Promise<void>;
}

// isolated pages have a clock of 5 µs, others of 100
const isolated = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

// rows of one height, each laid out by itself, in lists that scroll: the browser's own work is small and the same for all
const page = `<!doctype html><style>
  ul { height: 200px; overflow: auto; margin: 0; padding: 0; contain: strict; width: 600px }
  li { height: 20px; contain: strict }
</style><main id="root"></main>`;

export async function serveApps(
  root: string,
  browser: Pick<Browser, 'newPage'>,
  readable = false,
): Promise<Site> {
  const scripts = new Map<string, Promise<string>>();
  const script = (name: string): Promise<string> => {
    let text = scripts.get(name);
    if (text === undefined) scripts.set(name, (text = bundleApp(root, name, readable)));
    return text;
  };
  const server = createServer((request, response) => {
    const [, name = '', kind] = /^\/(\w+)(\.js)?$/.exec(request.url ?? '') ?? [];
    const type = kind === undefined ? 'text/html' : 'text/javascript';
    response.writeHead(200, { ...isolated, 'content-type': type });
    if (name === '') response.end(page);
    else if (kind === undefined) {
      response.end(`${page}<script src="/${name}.js"></script>`);
    } else void script(name).then((text) => response.end(text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const open = async (name: string, path: string): Promise<Opened> => {
    await script(name);
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`http://127.0.0.1:${port}/${path}`);
    return {
      page,
      async close() {
        await page.close();
        if (complaints.length > 0) throw new Error(`${name}: ${complaints.join('; ')}`);
      },
    };
  };
  return {
    open: (name) => open(name, name),
    async load(name) {
      const { page, close } = await open(name, '');
      const loaded = await page.evaluate(firstShown, `/${name}.js`);
      await close();
      return loaded;
    },
    close: () => void server.close(),
  };
}

/** Runs in the page. An inline script is compiled and run while it is inserted, and no cache has its code. */
async function firstShown(path: string): Promise<Loaded> {
  const element = document.createElement('script');
  element.text = await (await fetch(path)).text();
  const begun = performance.now();
  document.head.append(element);
  const script = performance.now() - begun;
  const { play } = globalThis as unknown as { play: Play };
  const { ms: show } = await play.first();
  return { script, show };
}
