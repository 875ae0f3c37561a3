/** Several reads at once: types, and a single reader for all, since each render may change the number of reads. */
import type { ArgsOf, Controller, DataOf } from '../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../src/endpoint/Endpoint.ts';
import { noop } from '../src/request/promiseTry.ts';
import { computed } from '../src/signals.ts';
import type { Listener, ReadonlySignal } from '../src/signals.ts';
import { PENDING, toNewReaderResult } from '../src/store/StorePort.ts';
import type { Result } from '../src/store/StorePort.ts';
import { FULFILLED_READY, NOT_FETCHING } from '../src/view/Reader.ts';
import type { Reader, Ready } from '../src/view/Reader.ts';
import type { DLE, TrackedDLE } from './DLE.ts';
import type { EmptyOf, NullableArgs } from './EmptyOf.ts';

/** An endpoint with arguments. */
export type QueryTuple<E extends ReadEndpoint = ReadEndpoint> = readonly [E, ...NullableArgs<E>];

/** Any list of endpoints with arguments. */
export type AnyReads = readonly (readonly [ReadEndpoint, ...unknown[]])[];

/** The type of a list of reads whose arguments fit their endpoints. */
export type ReadsOf<R extends AnyReads> = R & { readonly [K in keyof R]: QueryTuple<R[K][0]> };

/** The data of a read: with the schema's empty value if the first argument may be null. */
export type DataOfRead<Q> = Q extends readonly [infer E extends ReadEndpoint, ...infer A]
  ? DataOf<E> | (null extends A[0] ? EmptyOf<E['schema']> : never)
  : never;

/** The data of each read, in order. */
export type DataOfReads<R extends AnyReads> = { -readonly [K in keyof R]: DataOfRead<R[K]> };

/** `{data, loading, error}` of each read, in order. */
export type DLEOfReads<R extends AnyReads> = { -readonly [K in keyof R]: DLE<DataOfRead<R[K]>> };

/** The tracked object of each read, in order. */
export type TrackedDLEOfReads<R extends AnyReads> = {
  -readonly [K in keyof R]: TrackedDLE<DataOfRead<R[K]>>;
};

/** A reader for each read. Equal reads have the same reader. */
export function findReaders(controller: Controller, reads: AnyReads): Reader[] {
  return reads.map(([endpoint, ...args]) =>
    controller.view(endpoint, ...(args as ArgsOf<EndpointInterface>)),
  );
}

/** The result of a reader: with snapshots, or with live data. */
type ResultOf = (reader: Reader) => ReadonlySignal<Result>;

/**
 * `data` of `result` are an object with the data of each member by position, not a list: React repeats a write on the
 * data of each member, and would take the members of a list for rows.
 */
export class CombinedReader implements Reader {
  readonly members: readonly Reader[];
  readonly key: string;
  readonly fetching: ReadonlySignal<boolean> = NOT_FETCHING;
  readonly readers = 0;
  ready: Ready = FULFILLED_READY;
  /** Succeeds when all members do. */
  readonly result: ReadonlySignal<Result>;
  /** Always succeeds: `data` are the results of the members. */
  readonly results: ReadonlySignal<Result>;
  readonly #resultOf: ResultOf;
  readonly #distinct: ReadonlySet<Reader>;

  constructor(members: readonly Reader[], resultOf: ResultOf) {
    this.members = members;
    this.#resultOf = resultOf;
    this.#distinct = new Set(members);
    this.key = members.map(({ key }) => key).join();
    const current = () => members.map((member) => resultOf(member).value);
    this.result = computed(() => dataOf(current()));
    this.results = computed(() => resultsOf(current()));
  }

  ensure(first: boolean, waiter?: object): Ready | undefined {
    const waits = this.ensureEach(first, waiter).filter((wait) => wait !== undefined);
    if (waits.length > 0 && this.ready.status !== 'pending') this.ready = joinReady(waits);
    return waits.length > 0 ? this.ready : undefined;
  }

  /** The promise of each member. */
  ensureEach(first: boolean, waiter?: object): (Ready | undefined)[] {
    return this.members.map((member) => {
      // most members of a list that grows were shown before; an error that was shown is for a reset boundary
      const isNew = member.readers === 0 || member.result.peek().status === 'error';
      return member.ensure(first && isNew, waiter);
    });
  }

  removeWaiter(waiter: object): void {
    for (const member of this.#distinct) member.removeWaiter?.(waiter);
  }

  revalidate(former?: Reader): void {
    const formerMembers =
      former instanceof CombinedReader && former !== this ? former.#distinct : undefined;
    for (const member of this.#distinct)
      if (formerMembers?.has(member) !== true) member.revalidate();
  }

  retain(): () => void {
    return startAll(this.#distinct, (member) => member.retain());
  }

  listen(listener: Listener): () => void {
    return startAll(this.#distinct, (member) => member.listen(listener));
  }

  serverReader(place?: string): Reader | undefined {
    const served = this.members.map((member, at) =>
      member.serverReader?.(place === undefined ? undefined : `${place}.${at}`),
    );
    if (served.every((reader) => reader === undefined)) return undefined;
    return combineReaders(
      this.members.map((member, at) => served[at] ?? member),
      this.#resultOf,
    );
  }
}

/** A node in the tree of lists that were combined. */
interface Branch {
  readonly next: WeakMap<object, Branch>;
  reader?: CombinedReader;
}

const trees = /* @__PURE__ */ new WeakMap<ResultOf, Branch>();

const createBranch = (): Branch => ({ next: new WeakMap() });

function getOrCreate<K extends object>(branches: WeakMap<K, Branch>, key: K): Branch {
  let branch = branches.get(key);
  if (branch === undefined) branches.set(key, (branch = createBranch()));
  return branch;
}

/**
 * The same reader for the same members in the same order: React drops the state of a render that suspended, and needs
 * the same promise at the next render. Members are held weakly.
 */
export function combineReaders(members: readonly Reader[], resultOf: ResultOf): CombinedReader {
  let branch = getOrCreate(trees, resultOf);
  for (const member of members) branch = getOrCreate(branch.next, member);
  return (branch.reader ??= new CombinedReader(members, resultOf));
}

/** The data of all results, if all succeeded. */
function dataOf(results: readonly Result[]): Result {
  const failed = results.find(({ status }) => status === 'error');
  if (failed !== undefined) return failed;
  if (results.some(({ status }) => status === 'pending')) return PENDING;
  return success(results, dataOf, ({ data }) => data);
}

/** The results themselves. */
const resultsOf = (results: readonly Result[]): Result => success(results, resultsOf);

/** `combineNew`: for a reader that has not shown a deleted entity before. */
function success(
  results: readonly Result[],
  combineNew: (results: readonly Result[]) => Result,
  memberOf: (result: Result) => unknown = (result) => result,
): Result {
  const data = { ...results.map(memberOf) };
  const forNewReader = results.map(toNewReaderResult);
  if (forNewReader.every((result, at) => result === results[at]))
    return { status: 'success', data, error: undefined };
  return {
    status: 'success',
    data,
    error: undefined,
    deleted: true,
    now: combineNew(forNewReader),
  };
}

function startAll(members: Iterable<Reader>, start: (member: Reader) => () => void): () => void {
  const stops = Array.from(members, start);
  return () => stops.forEach((stop) => stop());
}

function joinReady(waits: readonly Ready[]): Ready {
  const promise = Promise.all(waits).then(noop);
  // settled with the commit of the last response, as each of the promises
  const status = () => (waits.some((wait) => wait.status === 'pending') ? 'pending' : 'fulfilled');
  return Object.defineProperty(promise, 'status', { get: status });
}
