// Real servers on the loopback: the order of a stream, concurrent requests, and the memory afterwards.
import { createServer, get } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { Suspense } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { Controller, Entity, ResetError, RestEndpoint } from 'signalbox';
import type { Clock } from 'signalbox';
import { Provider, useSuspense } from 'signalbox/react';
import { withServerData } from 'signalbox/ssr';
import { serverDataTransform } from 'signalbox/ssr/node';
import { afterEach, expect, test } from 'vitest';
import { programsIn, toldBy } from './page.ts';

class Account extends Entity {
  id = 0;
  secret = '';
}

/** The machine's time, and how many timers wait. */
class Counted implements Clock {
  readonly timers = new Set<unknown>();
  now(): number {
    return Date.now();
  }
  after(ms: number, job: () => void): unknown {
    const timer = setTimeout(() => (this.timers.delete(timer), job()), ms);
    this.timers.add(timer);
    return timer;
  }
  clear(timer: unknown): void {
    clearTimeout(timer as NodeJS.Timeout);
    this.timers.delete(timer);
  }
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(answer: (path: string, response: ServerResponse) => void): Promise<string> {
  const server = createServer(({ url = '/' }, response) => answer(url, response));
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Accounts with a delay that depends on the path. */
const api = (slow: (path: string) => number) =>
  serve((path, response) => {
    const id = Number(path.split('/').at(-1));
    const body = JSON.stringify({ id, secret: `secret of ${path.split('/')[1]}, account ${id}` });
    setTimeout(
      () => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      slow(path),
    );
  });

function accountOf(urlPrefix: string, user: string) {
  return new RestEndpoint({ urlPrefix, path: `/${user}/accounts/:id`, schema: Account });
}

type GetAccount = ReturnType<typeof accountOf>;

function Shown({ account, id }: { account: GetAccount; id: number }) {
  return <p>{useSuspense(account, { id }).secret}</p>;
}

function Page({ controller, account }: { controller: Controller; account: GetAccount }) {
  return (
    <Provider controller={controller}>
      <main>
        {[1, 2].map((id) => (
          <Suspense key={id} fallback={<i>waiting for {id}</i>}>
            <Shown account={account} id={id} />
          </Suspense>
        ))}
      </main>
    </Provider>
  );
}

/** A server that renders the page of the user that the path names. */
function site(from: string, made: { controller: Controller; clock: Counted }[] = []) {
  return serve((path, response) => {
    const clock = new Counted();
    const controller = new Controller({ clock });
    made.push({ controller, clock });
    const account = accountOf(from, path.slice(1));
    const { pipe } = renderToPipeableStream(<Page controller={controller} account={account} />, {
      onShellReady: () => void pipeline(pipe(serverDataTransform(controller)), response, () => {}),
      onError: () => {},
    });
  });
}

const text = async (url: string) => (await fetch(url)).text();

test('[H5] the data of each boundary are sent once, before its content, in the order of the responses', async () => {
  const page = await site(await api((path) => (path.endsWith('2') ? 10 : 400)));
  const html = await text(`${page}/ann`);
  const at = (part: string) => html.indexOf(part);
  for (const id of [1, 2]) {
    expect(at(`"secret of ann, account ${id}"`)).toBeGreaterThan(at(`waiting for`));
    expect(at(`"secret of ann, account ${id}"`)).toBeLessThan(
      at(`<p>secret of ann, account ${id}`),
    );
    expect(html.split(`"secret of ann, account ${id}"`)).toHaveLength(2);
  }
  expect(at('"secret of ann, account 2"')).toBeLessThan(at('"secret of ann, account 1"'));
  expect(toldBy(html)).toHaveLength(2);
});

test('[H5] concurrent pages with responses in any order contain only the data of their own user', async () => {
  const users = Array.from({ length: 12 }, (_, at) => `user${at}`);
  const page = await site(await api((path) => (path.length * 37 + path.charCodeAt(5) * 13) % 90));
  const pages = await Promise.all(users.map((user) => text(`${page}/${user}`)));
  pages.forEach((html, at) => {
    const named = new Set(html.match(/secret of user\d+/g));
    expect([...named]).toEqual([`secret of ${users[at]}`]);
    expect(html.match(/<p>secret/g)).toHaveLength(2);
  });
});

test('[H5] no timer is left after the response is sent', async () => {
  const made: { controller: Controller; clock: Counted }[] = [];
  const page = await site(await api(() => 5), made);
  await text(`${page}/ann`);
  await expect.poll(() => made.map(({ clock }) => clock.timers.size)).toEqual([0]);
});

test('[H5] when the client disconnects, the requests of its page are aborted and no timer is left', async () => {
  const made: { controller: Controller; clock: Counted }[] = [];
  let dropped = 0;
  const from = await serve((_, response) => void response.on('close', () => dropped++));
  const page = await site(from, made);
  await new Promise<void>((left) => {
    const request = get(`${page}/ann`, (response) => {
      response.once('data', () => request.destroy());
      response.on('error', () => {});
    });
    request.on('error', () => {});
    request.on('close', left);
  });
  await expect.poll(() => [dropped, ...made.map(({ clock }) => clock.timers.size)]).toEqual([2, 0]);
});

/** Writes `bursts`, each in pieces without a pause. */
function streamOf(bursts: readonly (readonly string[])[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async start(out) {
      for (const pieces of bursts) {
        for (const piece of pieces) out.enqueue(encoder.encode(piece));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      out.close();
    },
  });
}

async function known(): Promise<Controller> {
  const controller = new Controller();
  await controller.set(Account, { id: 1 }, { secret: 'x' });
  const account = accountOf('', 'ann');
  await controller.setResponse(account, { id: 1 }, { id: 1, secret: 'x' });
  return controller;
}

test.each([
  [
    'a document',
    ['<!doctype html><html><head><title>a</title></he', 'ad><bo', 'dy class="a>b"><p>é</p>'],
    /<body class="a>b"><script nonce="n">/,
  ],
  ['a fragment', ['<di', 'v><p>é</p></div>'], /^<script nonce="n">/],
  [
    'a document without a body yet',
    ['<!doctype html><html><head>'],
    /<html><head><script nonce="n">/,
  ],
])('[H5] no script is placed inside of a tag: %s', async (_, pieces, expected) => {
  const html = withServerData(streamOf([pieces, ['<p ', 'title="late">late</p>']]), await known(), {
    nonce: 'n',
  });
  const whole = await new Response(html).text();
  expect(whole.replace(/<script.*?<\/script>/, '')).toBe(
    `${pieces.join('')}<p title="late">late</p>`,
  );
  expect(whole).toMatch(expected);
  expect(programsIn(whole)).toHaveLength(1);
});

test('[H5] a client that disconnects early ends the stream and clears the store', async () => {
  const controller = await known();
  const bursts = Array.from({ length: 50 }, (_, at) => [`<p>${at}`, `</p>`]);
  const html = withServerData(streamOf(bursts), controller);
  const slow = Readable.fromWeb(html as NodeReadableStream<Uint8Array>);
  slow.once('data', () => slow.destroy());
  slow.on('error', () => {});
  await new Promise((closed) => slow.on('close', closed));
  await expect.poll(() => controller.get(Account, { id: 1 })).toBe(undefined);
});

/** HTML that begins, and of which nothing more comes until the test says so. */
function pending() {
  let out!: ReadableStreamDefaultController<string>;
  const reasons: unknown[] = [];
  const html = new ReadableStream<string>({
    start(given) {
      out = given;
      out.enqueue('<p>a</p>');
    },
    cancel: (reason) => void reasons.push(reason),
  });
  return { html, out, reasons };
}

test('[H5] when the client disconnects, a renderer that writes nothing is cancelled at once, with the reason', async () => {
  const controller = await known();
  const { html, reasons } = pending();
  const reader = withServerData(html, controller).getReader();
  await reader.read();
  void reader.read();
  await reader.cancel('left');
  expect([reasons, controller.get(Account, { id: 1 })]).toEqual([['left'], undefined]);
});

test('[H5] a renderer that fails ends the stream with the error, and aborts the requests of its page', async () => {
  const from = await api(() => 60_000);
  const controller = await known();
  const waits = controller.fetch(accountOf(from, 'ann'), { id: 2 });
  const { html, out } = pending();
  const page = new Response(withServerData(html, controller)).text();
  setTimeout(() => out.error(new Error('render')), 5);
  await expect(page).rejects.toThrow('render');
  await expect(waits).rejects.toThrow(ResetError);
  expect(controller.get(Account, { id: 1 })).toBe(undefined);
});
