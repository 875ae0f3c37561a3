/** What readers of snapshots have in the place of live lists and objects. */

const mirrors = new WeakMap<object, () => unknown>();

/** Notes of a live container what a reader of snapshots would get now; `read` is tracked. Gives the container back. */
export function attachSnapshot<T>(live: T, read: () => unknown): T {
  if (isContainer(live) && !mirrors.has(live)) mirrors.set(live, read);
  return live;
}

/** The snapshot of a live container as it is now: tracked, and undefined for what is none. */
export function snapshotOf(live: object): unknown {
  return mirrors.get(live)?.();
}

/** True for arrays and plain objects. */
export function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
