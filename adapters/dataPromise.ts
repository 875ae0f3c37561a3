/** A promise of the data of a read, with the `status` that React's `use` reads. */
import { noop } from '../src/request/promiseTry.ts';
import type { Result } from '../src/store/StorePort.ts';
import type { Reader, Ready } from '../src/view/Reader.ts';

/** The state of a promise, in the properties that React's `use` reads. */
interface PromiseState {
  status: 'pending' | 'fulfilled' | 'rejected';
  value?: unknown;
  reason?: Error;
}

/** The promises of a reader by cause: a promise for each result, and for each pending request. */
interface Promises {
  readonly byCause: WeakMap<Result | Ready, Promise<unknown>>;
  /** A component has used a promise: components with a promise of this reader render the data. */
  isUsed: boolean;
}

const promisesByReader = /* @__PURE__ */ new WeakMap<Reader, Promises>();

function promisesOf(reader: Reader): Promises {
  let promises = promisesByReader.get(reader);
  if (promises === undefined)
    promisesByReader.set(reader, (promises = { byCause: new WeakMap(), isUsed: false }));
  return promises;
}

/** True once `use` has been called with a promise of this reader. */
export function isPromiseUsed(reader: Reader): boolean {
  return promisesByReader.get(reader)?.isUsed === true;
}

/** The promise of `result`, or before the first data of the result after `wait`; the same promise for each call. */
export function dataPromise(
  reader: Reader,
  wait: Ready | undefined,
  result: Result,
): Promise<unknown> {
  const { byCause } = promisesOf(reader);
  const cause = wait ?? result;
  let promise = byCause.get(cause);
  if (promise === undefined) {
    promise = wait === undefined ? settledPromise(reader, result) : pendingPromise(reader, wait);
    byCause.set(cause, promise);
  }
  return promise;
}

function settledPromise(reader: Reader, result: Result): Promise<unknown> {
  const state: PromiseState = { status: 'pending' };
  const promise = new Promise((resolve, reject) => {
    settle(state, result, { resolve, reject });
  });
  return withStatus(reader, promise, state);
}

function pendingPromise(reader: Reader, wait: Ready): Promise<unknown> {
  const state: PromiseState = { status: 'pending' };
  const promise: Promise<unknown> = new Promise((resolve, reject) => {
    void wait.then(() => {
      const result = reader.result.peek();
      // the next render returns the same promise
      if (result.status !== 'pending') promisesOf(reader).byCause.set(result, promise);
      settle(state, result, { resolve, reject });
    });
  });
  const then = promise.then.bind(promise);
  // React passes the same function twice, to render again: also when a request ended without data, and another is sent
  // eslint-disable-next-line unicorn/no-thenable -- it is a promise
  void Object.defineProperty(promise, 'then', {
    value: (resolved: never, rejected: never) =>
      resolved === rejected && state.status === 'pending'
        ? wait.then(resolved)
        : then(resolved, rejected),
  });
  return withStatus(reader, promise, state);
}

function settle(
  state: PromiseState,
  { status, data, error }: Result,
  { resolve, reject }: { resolve: (data: unknown) => void; reject: (error: Error) => void },
): void {
  if (status === 'success') {
    Object.assign(state, { status: 'fulfilled', value: data });
    resolve(data);
  } else if (status === 'error') {
    Object.assign(state, { status: 'rejected', reason: error });
    reject(error);
  }
}

/** Adds the properties that `use` reads. */
function withStatus(
  reader: Reader,
  promise: Promise<unknown>,
  state: PromiseState,
): Promise<unknown> {
  const promises = promisesOf(reader);
  // components that only start a read handle no error
  promise.catch(noop);
  return Object.defineProperties(promise, {
    status: {
      get() {
        promises.isUsed = true;
        return state.status;
      },
    },
    value: { get: () => state.value },
    reason: { get: () => state.reason },
  });
}
