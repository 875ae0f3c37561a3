// The status hooks on a server: a deterministic result, and no request.
import { h } from 'preact';
import { renderToString as preactToString } from 'preact-render-to-string';
import { createElement } from 'react';
import { renderToString as reactToString } from 'react-dom/server';
import { Collection, Controller, Endpoint, RestEndpoint } from 'signalbox';
import * as preact from 'signalbox/preact';
import * as react from 'signalbox/react';
import * as solid from 'signalbox/solid';
import { createComponent } from 'solid-js';
import { renderToString as solidToString } from 'solid-js/web';
import { expect, test } from 'vitest';
import { Todo } from '../setup/world.ts';

const sent: string[] = [];
const word = new Endpoint(async ({ id }: { id: number }) => (sent.push('word'), `word ${id}`), {
  name: 'word',
});
const save = new Endpoint(async (text: string) => (sent.push('save'), text), {
  name: 'save',
  sideEffect: true,
});
const getPages = new RestEndpoint({
  path: '/pages',
  searchParams: undefined as { tag?: string } | undefined,
  schema: new Collection([Todo]),
  paginationField: 'cursor',
  fetch: async (_params: object = {}) => (sent.push('page'), [{ id: 1, title: 'one' }]),
});
const next = { getNextPageParams: () => ({ cursor: 2 }) };

interface Said {
  readonly status: preact.Status;
  readonly count: number;
  readonly mutation: preact.MutationState<typeof save>;
  readonly pages: Omit<preact.Infinite<typeof getPages.getPage>, 'fetchNextPage'>;
}

function said({ status, count, mutation, pages }: Said): string {
  const { isFetching, isStale, fetchedAt, error } = status;
  const { data, loading, hasNextPage, isFetchingNextPage } = pages;
  return JSON.stringify([
    [isFetching, isStale, fetchedAt ?? 'never', error ?? 'fine'],
    count,
    [mutation.isPending, mutation.data ?? 'none', mutation.error ?? 'fine'],
    [data?.map(({ title }) => title) ?? 'none', loading, hasNextPage, isFetchingNextPage],
  ]).replaceAll('"', '');
}

const drawing: readonly [string, (controller: Controller) => string][] = [
  [
    'React',
    (controller) => {
      const All = () =>
        said({
          status: react.useStatus(word, { id: 1 }),
          count: react.useIsFetching(),
          mutation: react.useMutation(save),
          pages: react.useInfinite(getPages.getPage, {}, next),
        });
      return reactToString(createElement(react.Provider, { controller }, createElement(All)));
    },
  ],
  [
    'Preact',
    (controller) => {
      const All = () =>
        h(
          'p',
          null,
          said({
            status: preact.useStatus(word, { id: 1 }),
            count: preact.useIsFetching(),
            mutation: preact.useMutation(save),
            pages: preact.useInfinite(getPages.getPage, {}, next),
          }),
        );
      return preactToString(h(preact.Provider, { controller }, h(All, null)));
    },
  ],
  [
    'Solid',
    (controller) => {
      const All = () =>
        said({
          status: solid.useStatus(word, () => ({ id: 1 })),
          count: solid.useIsFetching()(),
          mutation: solid.useMutation(save),
          pages: solid.useInfinite(getPages.getPage, () => ({}), next),
        });
      const inside = { controller, children: () => createComponent(All, {}) };
      return solidToString(() => createComponent(solid.Provider, inside as never));
    },
  ],
];

const IDLE = '[[false,false,never,fine],0,[false,none,fine]';

test.each(drawing)(
  '[H9] %s: the status hooks on a server send no request, and show no request in flight',
  async (_, draw) => {
    sent.length = 0;
    const controller = new Controller();
    expect(draw(controller)).toContain(`${IDLE},[none,true,false,false]]`);
    await Promise.resolve();
    expect(sent).toEqual([]);
    await controller.fetch(word, { id: 1 });
    await controller.fetch(getPages, {});
    // otherwise the HTML would differ from moment to moment
    const again = controller.fetch(word, { id: 1 });
    expect(draw(controller)).toContain(`${IDLE},[[one],false,true,false]]`);
    await again;
    expect(sent).toEqual(['word', 'page', 'word']);
    controller.reset();
  },
);
