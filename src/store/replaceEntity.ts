/** Two records turn out to be one entity: whatever shows the one shows the other. */
import { isPlain } from '../schema/equal.ts';
import { Composite } from '../schema/schema.ts';
import type { Node } from '../schema/schema.ts';
import type { Shelf } from './SweepRound.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { reaches } from './eachRecord.ts';
import { Record } from './Record.ts';
import type { Builder } from './Record.ts';

export interface Stored extends Builder {
  readonly layers: {
    touch<R extends Record>(record: R): R;
    move(record: EntityRecord, other: EntityRecord): void;
  };
  shelves(): Iterable<Shelf>;
}

/** Walks all that is stored. This happens where a read brought the new key before the response of the change did. */
export function replaceEntity(store: Stored, from: EntityRecord, to: EntityRecord): void {
  const swap = (node: Node): Node => swapIn(node, from, to);
  for (const { records } of store.shelves())
    for (const record of records.values())
      if (reaches(record.needs(), from)) store.layers.touch(record).swap?.(swap, store);
}

/** The same node where `from` is not in it. */
function swapIn(node: Node, from: Record, to: Record): Node {
  if (node === from) return to;
  if (node instanceof Record) return node;
  if (Array.isArray(node)) {
    if (!node.includes(from))
      return kept(
        node,
        node.map((inner) => swapIn(inner, from, to)),
      );
    return node.includes(to)
      ? node.filter((one) => one !== from)
      : node.map((one) => (one === from ? to : one) as Node);
  }
  if (node instanceof Composite) {
    const inner = swapIn(node.inner, from, to);
    return inner === node.inner ? node : (node.over?.(inner) ?? node);
  }
  if (!isPlain(node)) return node;
  const entries = Object.entries(node).map(([name, inner]) => [name, swapIn(inner, from, to)]);
  return kept(node, Object.fromEntries(entries) as object);
}

function kept(old: object, next: object): object {
  const same = Object.entries(next).every(
    ([name, value]) => (old as { [name: string]: unknown })[name] === value,
  );
  return same ? old : next;
}
