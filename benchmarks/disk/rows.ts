/** The same rows for all, and the longest task of a page. */

export interface Row {
  readonly id: number;
  readonly userId: number;
  readonly title: string;
  readonly body: string;
  readonly completed: boolean;
}

export function makeRows(count: number): Row[] {
  return Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    userId: (at % 97) + 1,
    title: `Row number ${at + 1}`,
    body: 'A sentence of some words that a list would show below its title.',
    completed: at % 3 === 0,
  }));
}

/** Milliseconds that some work took, and the longest time in which the page answered to nothing. */
export interface Cost {
  readonly took: number;
  readonly longest: number;
}

/** Set by the benchmark: whether a run is for its CPU time, and a function that reads it. */
declare const isCpuMeasured: boolean;
declare function markCpu(): Promise<void>;

export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  if (isCpuMeasured) {
    await markCpu();
    await work();
    await markCpu();
    return { took: 0, longest: 0 };
  }
  let longest = 0;
  let isOver = false;
  let last = performance.now();
  const { port1, port2 } = new MessageChannel();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) port2.postMessage(0);
  };
  port1.addEventListener('message', look);
  port1.start();
  port2.postMessage(0);
  await new Promise((done) => setTimeout(done, 50));
  const began = (last = performance.now());
  longest = 0;
  await work();
  const took = performance.now() - began;
  isOver = true;
  look();
  port1.close();
  return { took, longest };
}

/** A library that keeps a list of rows on the disk. */
export interface Kept {
  /** Puts this list into memory alone. */
  store(rows: readonly Row[]): Promise<Cost>;
  /** Empties the disk, puts this list into memory and saves it. */
  save(rows: readonly Row[]): Promise<Cost>;
  /** In a page that has just begun: until what was saved can be read. */
  start(): Promise<Cost>;
  /** Reads one row, and then all of them: the sum of their ids. */
  readOne(): Promise<Cost>;
  readAll(): Promise<Cost>;
  /** Characters or bytes that are written when one row changes, and when the list is fetched again unchanged. */
  change(): Promise<number>;
  refetch(rows: readonly Row[]): Promise<number>;
}

/** The size of all that `work` puts into IndexedDB. */
export async function bytesOf(work: () => Promise<unknown>): Promise<number> {
  let bytes = 0;
  const real = Reflect.get(IDBObjectStore.prototype, 'put');
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...args) {
    const [value] = args as [unknown];
    bytes += typeof value === 'string' ? value.length : JSON.stringify(value).length;
    return real.apply(this, args);
  };
  await work();
  await new Promise((done) => setTimeout(done, 300));
  IDBObjectStore.prototype.put = real;
  return bytes;
}
