// Solid on a server: resources are created once, and suspended places are rendered again with data.
import { Writable } from 'node:stream';
import { createComponent, Suspense } from 'solid-js';
import type { Component, JSX } from 'solid-js';
import { escape, renderToStringAsync, renderToStream, ssr } from 'solid-js/web';
import { Controller, Endpoint, Entity } from 'signalbox';
import { dehydrate, serverDataScript } from 'signalbox/ssr';
import { Provider, useCache, useDLE, useSuspense } from 'signalbox/solid';
import { expect, test } from 'vitest';
import { User } from '../setup/samples.ts';

class Todo extends Entity {
  id = 0;
  title = '';
  userId = 0;
}
const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const world = (todoMs: number, userMs: number) => {
  const log: string[] = [];
  const getTodo = new Endpoint(
    async ({ id }: { id: number }) => {
      log.push(`todo ${id}`);
      await after(todoMs);
      return { id, title: `t${id}`, userId: 7 };
    },
    { name: 'getTodo', schema: Todo },
  );
  const getUser = new Endpoint(
    async ({ id }: { id: number }) => {
      log.push(`user ${id}`);
      await after(userMs);
      return { id, name: 'ada' };
    },
    { name: 'getUser', schema: User },
  );
  return { log, getTodo, getUser };
};
type World = ReturnType<typeof world>;

const waiting = (children: () => JSX.Element): JSX.Element =>
  createComponent(Suspense, {
    fallback: '…',
    get children() {
      return children();
    },
  });
const lent = (controller: Controller, children: () => JSX.Element): JSX.Element =>
  createComponent(Provider, {
    controller,
    get children() {
      return children();
    },
  });
const line = (...texts: string[]): JSX.Element =>
  ssr(
    ['<p>', ...texts.slice(1).map(() => '|'), '</p>'],
    ...texts.map((text) => escape(text)),
  ) as never;

const drawing = {
  'as a text': async (app: () => JSX.Element) => renderToStringAsync(app),
  'as a stream': async (app: () => JSX.Element) =>
    new Promise<string>((end) => {
      let html = '';
      const sink = new Writable({
        write(chunk, _, done) {
          html += String(chunk);
          done();
        },
        final: () => end(html),
      });
      renderToStream(app).pipe(sink);
    }),
};

const chained = ({ getTodo, getUser }: World) => {
  const todo = useSuspense(getTodo, () => ({ id: 1 }));
  const user = useSuspense(getUser, () => ({ id: todo().userId }));
  return { todo, user };
};

const pages: Record<string, (world: World) => JSX.Element> = {
  'below a boundary': (w) => {
    const Page = () => {
      const { todo, user } = chained(w);
      return line(todo().title, user().name);
    };
    return waiting(() => createComponent(Page, {}));
  },
  'with the boundary below it': (w) => {
    const { todo, user } = chained(w);
    return waiting(() => line(todo().title, user().name));
  },
  'in two components': (w) => {
    const Name: Component<{ id: number }> = (props) => {
      const user = useSuspense(w.getUser, () => ({ id: props.id }));
      return user().name;
    };
    const Page = () => {
      const todo = useSuspense(w.getTodo, () => ({ id: 1 }));
      const name = createComponent(Name, {
        get id() {
          return todo().userId;
        },
      });
      return line(todo().title, name as string);
    };
    return waiting(() => createComponent(Page, {}));
  },
};

const cases = Object.keys(drawing).flatMap((how) =>
  Object.keys(pages).flatMap((where) => [
    [how, where, 1, 10] as const,
    [how, where, 10, 1] as const,
  ]),
);

test.each(cases)(
  '[H5] Solid renders dependent reads %s, %s, with all data (%i, %i ms)',
  async (how, where, todoMs, userMs) => {
    const w = world(todoMs, userMs);
    const controller = new Controller();
    const Page = () => pages[where]!(w);
    const app = () => lent(controller, () => createComponent(Page, {}));
    const html = await drawing[how as keyof typeof drawing](app);
    expect(html).toContain('<p>t1|ada</p>');
    expect(w.log).toEqual(['todo 1', 'user 7']);
    expect(serverDataScript(controller)).toContain('ada');
    controller.reset();
  },
);

test('[H5] a Solid server records readers rendered without data, and no readers rendered again with data', async () => {
  const w = world(1, 1);
  const controller = new Controller();
  const Menu = () => {
    const cached = useCache(w.getUser, () => ({ id: 7 }));
    const dle = useDLE(w.getUser, () => ({ id: 7 }));
    return line(cached()?.name ?? 'Sign in', dle.data?.name ?? 'Sign in');
  };
  const Page = () => {
    const user = useSuspense(w.getUser, () => ({ id: 7 }));
    return [line(user().name), createComponent(Menu, {})];
  };
  const html = await renderToStringAsync(() =>
    lent(controller, () => [createComponent(Menu, {}), waiting(() => createComponent(Page, {}))]),
  );
  expect(html).toContain('<p>Sign in|Sign in</p>');
  expect(html).toContain('<p>ada</p><p>ada|ada</p>');
  expect(dehydrate(controller).results.map(([, { blanks }]) => blanks)).toEqual([
    [expect.any(String), expect.any(String)],
  ]);
  controller.reset();
});
