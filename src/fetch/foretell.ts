/** What is shown of a mutation before its answer, and how it is taken back. */
import { titleOf } from '../endpoint/titleOf.ts';
import type { Asked } from './Asked.ts';
import type { Desk } from './Desk.ts';
import { expect } from './expect.ts';

/** Shows what a mutation is expected to answer. */
export function foretell(desk: Desk, asked: Asked): void {
  const { store, clock, creations } = desk;
  const { endpoint, key } = asked;
  const layer = expect(
    store,
    Object.assign(asked, { fetchedAt: clock.now(), title: titleOf(endpoint) }),
  );
  if (layer === undefined) return;
  asked.shown = { layer, begun: creations.begin(layer.made, asked.args) };
  const written = store.commit(() => store.layers.lay(layer));
  desk.emit('commit', { cause: 'optimistic', key, written });
}

/** Takes back what was shown of a mutation that failed. */
export function rollBack(desk: Desk, { shown, key }: Asked, reason: unknown): void {
  if (shown === undefined) return;
  shown.begun.fail(reason);
  const { layers } = desk.store;
  if (!layers.has(shown.layer)) return;
  const written = desk.store.commit(() => layers.drop(shown.layer));
  desk.emit('commit', { cause: 'rollback', key, written });
}
