// Pages of several users, rendered at the same time by a server on the loopback.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { h } from 'preact';
import { renderToStringAsync as preactToString } from 'preact-render-to-string';
import { Controller, Entity, RestEndpoint } from 'signalbox';
import * as preact from 'signalbox/preact';
import * as solid from 'signalbox/solid';
import { endRequest, serverDataScript } from 'signalbox/ssr';
import { createComponent, Suspense } from 'solid-js';
import { renderToStringAsync as solidToString } from 'solid-js/web';
import { expect, onTestFinished, test } from 'vitest';
import { toldBy } from './page.ts';

class Account extends Entity {
  id = 0;
  secret = '';
}

async function serve(answer: (path: string) => Promise<string>, type: string): Promise<string> {
  const server = createServer(({ url = '/' }, response) => {
    void answer(url).then((body) => response.writeHead(200, { 'content-type': type }).end(body));
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers out of order: later users are often first. */
const api = () =>
  serve(async (path) => {
    const [, user = '', , id = ''] = path.split('/');
    await new Promise((due) => setTimeout(due, (user.charCodeAt(4) * 31 + Number(id) * 17) % 70));
    return JSON.stringify({ id: Number(id), secret: `secret of ${user}` });
  }, 'application/json');

const accountsOf = (urlPrefix: string, user: string) =>
  new RestEndpoint({ urlPrefix, path: `/${user}/accounts/:id`, schema: Account });
type Accounts = ReturnType<typeof accountsOf>;

type Draw = (controller: Controller, accounts: Accounts) => Promise<string>;

/** Two reads in sequence. */
const drawing: readonly [string, Draw][] = [
  [
    'Preact',
    async (controller, accounts) => {
      const Both = () =>
        h('p', null, [1, 2].map((id) => preact.useSuspense(accounts, { id }).secret).join('; '));
      return preactToString(h(preact.Provider, { controller }, h(Both, null)));
    },
  ],
  [
    'Solid',
    (controller, accounts) => {
      const Both = () => {
        const both = [1, 2].map((id) => solid.useSuspense(accounts, () => ({ id })));
        return () => both.map((read) => read().secret).join('; ');
      };
      const boundary = () =>
        createComponent(Suspense, {
          children: (() => createComponent(Both as never, {})) as never,
        });
      const inside = { controller, children: boundary };
      return solidToString(() => createComponent(solid.Provider, inside as never));
    },
  ],
];

test.each(drawing)(
  '[H5] %s: pages rendered at the same time contain only the data of their own user',
  async (_, draw) => {
    const from = await api();
    const site = await serve(async (path) => {
      const controller = new Controller();
      const html = await draw(controller, accountsOf(from, path.slice(1)));
      const data = serverDataScript(controller);
      endRequest(controller);
      return data + html;
    }, 'text/html');
    const users = Array.from({ length: 9 }, (_, at) => `user${at}`);
    const pages = await Promise.all(
      users.map(async (user) => (await fetch(`${site}/${user}`)).text()),
    );
    pages.forEach((html, at) => {
      expect(new Set(html.match(/secret of user\d/g))).toEqual(new Set([`secret of ${users[at]}`]));
      expect(toldBy(html)[0]?.results).toHaveLength(2);
      expect(html).toContain(`secret of ${users[at]}; secret of ${users[at]}`);
    });
  },
);
