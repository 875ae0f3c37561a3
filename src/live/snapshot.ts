/** Immutable snapshots of live objects. */
import { DEV } from '../errors.ts';
import { untracked } from '../signals.ts';
import type { Fields } from '../schema/schema.ts';
import { isContainer, snapshotOf } from '../schema/attachSnapshot.ts';
import { liveOf } from './LiveObject.ts';

/**
 * The immutable snapshot of a live object, of a live list, or of a value made of live objects: the same reference that
 * readers of snapshots have (`useSuspense` of React, `controller.get`), until something in it changes. So a snapshot is
 * suited to log, to clone, to send to a worker, to compare and to put in a dependency list. Reading is tracked: a
 * component or an effect that reads the snapshot runs again when anything in it changes; for a nested list, when
 * anything in the entity around the list changes. `peek` is not tracked. A list or object put together by hand, or an
 * outdated live list, is copied; any other value is returned unchanged. Undefined for an entity that does not exist.
 */
export function snapshot<T>(live: T): T {
  const target = liveOf(live);
  if (target !== undefined) return target.liveSource.cell(target.record).value as T;
  if (!isContainer(live)) return live;
  const mirror = snapshotOf(live);
  return (untracked(() => isCurrent(mirror, live)) ? mirror : copyContainer(live)) as T;
}

/**
 * The present snapshot of a live object, untracked: the same reference that `useSuspense` of React returns; undefined
 * for an entity that does not exist. Any other value is returned unchanged.
 */
export function peek<T>(live: T): T {
  const target = liveOf(live);
  return target === undefined ? live : (target.liveSource.peek(target.record) as T);
}

/** True if `mirror` holds, at every depth, the current snapshot of the matching part of `live`. */
function isCurrent(mirror: unknown, live: unknown): boolean {
  if (mirror === live) return true;
  const target = liveOf(live);
  if (target !== undefined) return target.liveSource.cell(target.record).peek() === mirror;
  if (!isContainer(live) || !isContainer(mirror)) return false;
  const names = Object.keys(live);
  if (names.length !== Object.keys(mirror).length) return false;
  return names.every((name) => isCurrent((mirror as Fields)[name], (live as Fields)[name]));
}

/** Returns the container itself if nothing in it is live. */
function copyContainer(live: object): unknown {
  const names = Object.keys(live);
  const parts = names.map((name) => snapshot((live as Fields)[name]));
  if (parts.every((part, at) => part === (live as Fields)[names[at] as string])) return live;
  const copy = Array.isArray(live)
    ? parts
    : Object.fromEntries(names.map((name, at) => [name, parts[at]]));
  return DEV ? Object.freeze(copy) : copy;
}
