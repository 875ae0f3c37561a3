// Hooks of a server return the snapshots of the store, since no single field is followed there.
import { h } from 'preact';
import { renderToString as preactToString } from 'preact-render-to-string';
import { Controller, Endpoint } from 'signalbox';
import * as preact from 'signalbox/preact';
import * as solid from 'signalbox/solid';
import { createComponent } from 'solid-js';
import { renderToString as solidToString } from 'solid-js/web';
import { expect, test } from 'vitest';
import { Todo } from '../setup/world.ts';

const getTodos = new Endpoint(async () => [{ id: 1, title: 'Buy milk' }], {
  schema: [Todo],
  name: 'getTodos',
});

test('[H5] Preact: a server renders the snapshots of the store, and $ of a snapshot gives the value of a field', async () => {
  const controller = new Controller();
  await controller.fetch(getTodos);
  let rendered: readonly Todo[] = [];
  const Page = () => {
    rendered = preact.useSuspense(getTodos);
    return h(
      'ul',
      null,
      rendered.map((todo) => h('li', null, preact.$(todo).title)),
    );
  };
  const page = h(preact.Provider, { controller, children: h(Page, null) });
  expect(preactToString(page)).toBe('<ul><li>Buy milk</li></ul>');
  expect(rendered).toBe(controller.getResponse(getTodos).data);
});

test('[H5] Solid: a server renders the snapshots of the store', async () => {
  const controller = new Controller();
  await controller.fetch(getTodos);
  let rendered: readonly Todo[] = [];
  const Page = () => {
    rendered = solid.useSuspense(getTodos)();
    return rendered.map(({ title }) => title).join();
  };
  const html = solidToString(() =>
    createComponent(solid.Provider, {
      controller,
      get children() {
        return createComponent(Page, {});
      },
    }),
  );
  expect(html).toContain('Buy milk');
  expect(rendered).toBe(controller.getResponse(getTodos).data);
});
