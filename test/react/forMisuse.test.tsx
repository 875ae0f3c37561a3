// <For> over data without a list: a named error.
import { Suspense } from 'react';
import type { ReactElement } from 'react';
import { Endpoint, Query } from 'signalbox';
import { ErrorBoundary, For } from 'signalbox/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { world } from '../contract/world.ts';
import { page } from './page.ts';

const failed = (error: Error): ReactElement => <p>{error.message}</p>;

interface Props {
  readonly each: unknown;
  readonly params?: object;
}

function Misused({ each, params = { userId: 1 } }: Props): ReactElement {
  return (
    <ErrorBoundary fallback={failed}>
      <Suspense fallback={<p>wait</p>}>
        <For each={each as never} params={params as never}>
          {(row) => <p>{JSON.stringify(row)}</p>}
        </For>
      </Suspense>
    </ErrorBoundary>
  );
}

// React prints the errors that a boundary catches
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

test.each(['getHalves', 'getTodo'] as const)(
  '[H10] <For> over %s, which has no single list, throws A6 with the `select` to add',
  async (name) => {
    const w = world();
    const { lines, unmount } = await page(w, <Misused each={w[name]} params={{ id: 1 }} />);
    expect(lines()).toEqual([
      expect.stringMatching(
        /A6\] the component For cannot choose a list in \{.*; .*select=\{\(\{ results/,
      ),
    ]);
    await unmount();
  },
);

test('[H1] <For> renders the list of an endpoint without a schema', async () => {
  const w = world();
  const raw = new Endpoint(async (_params: object) => ({ rows: [{ n: 1 }, { n: 2 }], total: 2 }), {
    name: 'raw',
  });
  const { lines } = await page(w, <Misused each={raw} />);
  expect(lines()).toEqual(['{"n":1}', '{"n":2}']);
});

test('[H10] <For> renders the list that a Query selects from an envelope', async () => {
  const w = world();
  const items = new Query(w.getList.schema, (todos = []) => todos.map(({ title }) => title));
  await w.controller.fetch(w.getList, { userId: 1 });
  const { lines, unmount } = await page(w, <Misused each={items} />);
  expect(lines()).toEqual(['"t1"', '"t3"', '"t5"']);
  await unmount();
});
