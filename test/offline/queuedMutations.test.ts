// The times at which mutations of other pages count as issued.
import { expect, test } from 'vitest';
import { QueuedMutation, QueuedMutations } from '../../src/offline/QueuedMutations.ts';

/** Mutations of which this page has issued `own` last, as the tenth of the log. */
function mutations(own: number) {
  const all = new QueuedMutations(() => false);
  const add = (id: number, issued: number) => {
    const mutation = new QueuedMutation({ id: issued, args: [] } as never, `${id}`);
    mutation.entry = { id, name: '', args: [], tempIds: [], revision: 0 } as never;
    all.add(mutation);
    return issued;
  };
  add(10, own);
  return { all, insert: (id: number) => add(id, all.issueTimeOf(id) as number) };
}

test('[P2] mutations of one entity count as issued in the order of the log, before a later own mutation', () => {
  const { all, insert } = mutations(100);
  const first = insert(1);
  insert(5);
  insert(6);
  all.end(first);
  const second = insert(2);
  expect(first).toBeGreaterThan(99);
  expect(second).toBeGreaterThan(first);
  expect(second).toBeLessThan(100);
});
