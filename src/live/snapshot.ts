/** From live objects to what they show now, as immutable values. */
import { DEV } from '../diagnostics.ts';
import { untracked } from '../reactive.ts';
import type { Fields } from '../schema/schema.ts';
import { liveOf } from './LiveObject.ts';
import { isContainer, snapshotOf } from './attachSnapshot.ts';

/**
 * The immutable snapshot of a live object, of a live list, or of what is made of such: the very reference that readers of
 * snapshots have (`useSuspense` of React, `controller.get`), the same until something in it changes. So it is what to
 * log, to clone, to send to a worker, to compare and to put in a dependency list. It is tracked: who reads it in a
 * component or an effect runs again when anything in it changes, of a nested list anything in its entity.
 * `peek` is not tracked.
 * A list or object put together by hand, or one of the past, is copied; any other value is given back as it is.
 * Undefined for an entity that is not there.
 */
export function snapshot<T>(live: T): T {
  const target = liveOf(live);
  if (target !== undefined) return target.lender.cell(target.record).value as T;
  if (!isContainer(live)) return live;
  const mirror = snapshotOf(live);
  return (untracked(() => shows(mirror, live)) ? mirror : copied(live)) as T;
}

/**
 * The present snapshot of a live object, untracked: the very reference that `useSuspense` of React gives; undefined for an entity
 * that is not there. Any other value is given back as it is.
 */
export function peek<T>(live: T): T {
  const target = liveOf(live);
  return target === undefined ? live : (target.lender.peek(target.record) as T);
}

/** True where a snapshot has, all through, what a live value stands for now. */
function shows(mirror: unknown, live: unknown): boolean {
  if (mirror === live) return true;
  const target = liveOf(live);
  if (target !== undefined) return target.lender.cell(target.record).peek() === mirror;
  if (!isContainer(live) || !isContainer(mirror)) return false;
  const names = Object.keys(live);
  if (names.length !== Object.keys(mirror).length) return false;
  return names.every((name) => shows((mirror as Fields)[name], (live as Fields)[name]));
}

/** The container itself where nothing in it is live. */
function copied(live: object): unknown {
  const names = Object.keys(live);
  const parts = names.map((name) => snapshot((live as Fields)[name]));
  if (parts.every((part, at) => part === (live as Fields)[names[at] as string])) return live;
  const copy = Array.isArray(live)
    ? parts
    : Object.fromEntries(names.map((name, at) => [name, parts[at]]));
  return DEV ? Object.freeze(copy) : copy;
}
