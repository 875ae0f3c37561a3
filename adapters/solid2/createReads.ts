/** The hooks of a list of reads: one for each reader, kept while the list contains it. */
import type { Controller } from '../../src/Controller.ts';
import type { ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { Reader } from '../../src/view/Reader.ts';
import { readersOf } from '../readersOf.ts';
import type { AnyReads } from '../readersOf.ts';
import { createMemo, mapArray, untrack } from './solid.ts';
import type { Accessor } from './solid.ts';

/** `make` calls the hook of one read. */
export function createReads<T>(
  controller: Controller,
  reads: Accessor<AnyReads>,
  make: (endpoint: ReadEndpoint, params: readonly Accessor<unknown>[]) => T,
): Accessor<readonly T[]> {
  const known = new WeakMap<Reader, AnyReads[number]>();
  const distinct = createMemo(() => {
    const value = reads();
    return untrack(() => readersOf(controller, value)).map((reader, at) => {
      if (!known.has(reader)) known.set(reader, value[at] as AnyReads[number]);
      return known.get(reader) as AnyReads[number];
    });
  });
  return mapArray(distinct, ([endpoint, ...args]) =>
    make(
      endpoint,
      args.map((arg) => () => arg),
    ),
  );
}
