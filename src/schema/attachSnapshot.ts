/** Live containers, and how to read the immutable snapshot of each. */
const snapshotReaders = new WeakMap<object, () => unknown>();

/** Attaches the reader of the present snapshot to a live container; `read` is tracked. Returns the container. */
export function attachSnapshot<T>(live: T, read: () => unknown): T {
  if (isContainer(live) && !snapshotReaders.has(live)) snapshotReaders.set(live, read);
  return live;
}

/** The present snapshot of a live container, tracked; undefined for any other object. */
export function snapshotOf(live: object): unknown {
  return snapshotReaders.get(live)?.();
}

/** True for arrays and plain objects. */
export function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
