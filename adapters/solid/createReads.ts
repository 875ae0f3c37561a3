/** The hooks of a list of reads: one for each reader, kept while the list contains it. */
import { createMemo, mapArray } from 'solid-js';
import type { Accessor } from 'solid-js';
import type { Controller } from '../../src/Controller.ts';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { Reader } from '../../src/view/Reader.ts';
import { readersOf } from '../readersOf.ts';
import type { AnyReads } from '../readersOf.ts';
import { readParams } from './createQueryHandle.ts';

export interface Reads<T> {
  readonly each: Accessor<readonly T[]>;
  /** The reads, while they wait for another accessor: made of its placeholder. */
  readonly held: Accessor<AnyReads | undefined>;
}

/** `make` calls the hook of one read. An exception of `reads` is thrown at the place that reads. */
export function createReads<T>(
  controller: Controller,
  reads: Accessor<AnyReads>,
  make: (endpoint: ReadEndpoint, params: readonly Accessor<unknown>[]) => T,
): Reads<T> {
  const current = createMemo(() => readParams(reads, (value) => readersOf(controller, value)));
  const known = new WeakMap<Reader, AnyReads[number]>();
  const distinct = createMemo(() => {
    const { value = [], named = [] } = current();
    return named.map((reader, at) => {
      if (!known.has(reader)) known.set(reader, value[at] as AnyReads[number]);
      return known.get(reader) as AnyReads[number];
    });
  });
  // a memo: requests start before anything is read
  const each = createMemo(
    mapArray(distinct, ([endpoint, ...args]) =>
      make(
        endpoint,
        args.map((arg) => () => arg),
      ),
    ),
  );
  return {
    each: () => {
      const { error } = current();
      if (error !== undefined) throw error;
      return each();
    },
    held: () => (current().held === undefined ? undefined : current().value),
  };
}
