/** A promise of the data of a read, with the `status` that React's `use` reads. */
import type { Result } from '../src/store/results/Result.ts';
import type { Ready, Reader } from '../src/view/Reader.ts';
import { noop } from '../src/request/promiseTry.ts';

/** The settled state of a promise, in the properties that React's `use` reads. */
interface Settled {
  status: 'pending' | 'fulfilled' | 'rejected';
  value?: unknown;
  reason?: Error;
}

/** The promises of one reader: one for each result, and one for each pending request. */
interface Promises {
  readonly made: WeakMap<Result | Ready, Promise<unknown>>;
  /** A component has used one of the promises: components with a promise of this reader render its data. */
  shown: boolean;
}

const known = /* @__PURE__ */ new WeakMap<Reader, Promises>();

function promisesOf(reader: Reader): Promises {
  let promises = known.get(reader);
  if (promises === undefined) known.set(reader, (promises = { made: new WeakMap(), shown: false }));
  return promises;
}

/** True once `use` has been called with a promise of this reader. */
export function isShown(reader: Reader): boolean {
  return known.get(reader)?.shown === true;
}

/** The promise of `result`, or before the first data of the result after `wait`; the same promise for each call. */
export function dataPromise(
  reader: Reader,
  wait: Ready | undefined,
  result: Result,
): Promise<unknown> {
  const { made } = promisesOf(reader);
  const by = wait ?? result;
  let promise = made.get(by);
  if (promise === undefined) {
    promise = wait === undefined ? settledPromise(reader, result) : pendingPromise(reader, wait);
    made.set(by, promise);
  }
  return promise;
}

function settledPromise(reader: Reader, result: Result): Promise<unknown> {
  const settled: Settled = { status: 'pending' };
  const promise = new Promise((resolve, reject) => {
    settle(settled, result, { resolve, reject });
  });
  return lookable(reader, promise, settled);
}

function pendingPromise(reader: Reader, wait: Ready): Promise<unknown> {
  const settled: Settled = { status: 'pending' };
  const promise: Promise<unknown> = new Promise((resolve, reject) => {
    void wait.then(() => {
      const result = reader.result.peek();
      // the next render returns the same promise
      if (result.status !== 'pending') promisesOf(reader).made.set(result, promise);
      settle(settled, result, { resolve, reject });
    });
  });
  const then = promise.then.bind(promise);
  // React passes one function twice, to render again: also when a request ended without data, and another is sent
  // eslint-disable-next-line unicorn/no-thenable -- it is a promise
  void Object.defineProperty(promise, 'then', {
    value: (resolved: never, rejected: never) =>
      resolved === rejected && settled.status === 'pending'
        ? wait.then(resolved)
        : then(resolved, rejected),
  });
  return lookable(reader, promise, settled);
}

function settle(
  settled: Settled,
  { status, data, error }: Result,
  { resolve, reject }: { resolve: (data: unknown) => void; reject: (error: Error) => void },
): void {
  if (status === 'success') {
    Object.assign(settled, { status: 'fulfilled', value: data });
    resolve(data);
  } else if (status === 'error') {
    Object.assign(settled, { status: 'rejected', reason: error });
    reject(error);
  }
}

function lookable(reader: Reader, promise: Promise<unknown>, settled: Settled): Promise<unknown> {
  const promises = promisesOf(reader);
  // components that only start a read handle no error
  promise.catch(noop);
  return Object.defineProperties(promise, {
    status: {
      get() {
        promises.shown = true;
        return settled.status;
      },
    },
    value: { get: () => settled.value },
    reason: { get: () => settled.reason },
  });
}
