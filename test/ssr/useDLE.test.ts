import { h } from 'preact';
import { renderToString as preactToString } from 'preact-render-to-string';
import { createElement } from 'react';
import { renderToString as reactToString } from 'react-dom/server';
import { Controller, Endpoint } from 'signalbox';
import * as preact from 'signalbox/preact';
import * as react from 'signalbox/react';
import * as solid from 'signalbox/solid';
import { createComponent } from 'solid-js';
import { renderToString as solidToString } from 'solid-js/web';
import { expect, test } from 'vitest';

let asked = 0;
const word = new Endpoint(async ({ id }: { id: number }) => (asked++, `word ${id}`), {
  name: 'word',
});

const said = ({ data, loading }: { data: string | undefined; loading: boolean }) =>
  loading ? 'loading' : data;

const drawing: readonly [string, (controller: Controller) => string][] = [
  [
    'React',
    (controller) => {
      const Both = () => said(react.useDLE(word, { id: 1 }));
      return reactToString(createElement(react.Provider, { controller }, createElement(Both)));
    },
  ],
  [
    'Preact',
    (controller) => {
      const Both = () => h('p', null, said(preact.useDLE(word, { id: 1 })));
      return preactToString(h(preact.Provider, { controller }, h(Both, null)));
    },
  ],
  [
    'Solid',
    (controller) => {
      const Both = () => said(solid.useDLE(word, () => ({ id: 1 })));
      const inside = { controller, children: () => createComponent(Both, {}) };
      return solidToString(() => createComponent(solid.Provider, inside as never));
    },
  ],
];

test.each(drawing)(
  '[H5] %s: useDLE sends no request on a server, and renders stored data',
  async (_, draw) => {
    asked = 0;
    const controller = new Controller();
    expect(draw(controller)).toContain('loading');
    await Promise.resolve();
    expect(asked).toBe(0);
    await controller.fetch(word, { id: 1 });
    expect(draw(controller)).toContain('word 1');
    controller.reset();
  },
);
