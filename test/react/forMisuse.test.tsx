// <For> over what is no list: a named error.
import { Suspense } from 'react';
import type { ReactElement } from 'react';
import { Query } from 'signalbox';
import { ErrorBoundary, For } from 'signalbox/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { world } from '../contract/world.ts';
import { page } from './page.ts';

const failed = (error: Error): ReactElement => <p>{error.message}</p>;

function Misused({ each }: { readonly each: unknown }): ReactElement {
  return (
    <ErrorBoundary fallback={failed}>
      <Suspense fallback={<p>wait</p>}>
        <For each={each as never} params={{ userId: 1 } as never}>
          {(row) => <p>{JSON.stringify(row)}</p>}
        </For>
      </Suspense>
    </ErrorBoundary>
  );
}

// React prints what a boundary catches
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

test('[H10] <For> over an envelope says that it needs the list itself, and how to select it', async () => {
  const w = world();
  const { lines, unmount } = await page(w, <Misused each={w.getPage} />);
  expect(lines()).toEqual([
    expect.stringMatching(
      /A6\] a list is to be rendered from \{"items".*; pass the list itself: .*new Query\(schema/,
    ),
  ]);
  await unmount();
});

test('[H10] a Query selects the list of an envelope for <For>', async () => {
  const w = world();
  const items = new Query(w.getList.schema, (todos = []) => todos.map(({ title }) => title));
  await w.controller.fetch(w.getList, { userId: 1 });
  const { lines, unmount } = await page(w, <Misused each={items} />);
  expect(lines()).toEqual(['"t1"', '"t3"', '"t5"']);
  await unmount();
});
