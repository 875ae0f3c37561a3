/** The hooks of a list of reads: one for each reader, kept while the list contains it. */
import { createMemo, mapArray } from 'solid-js';
import type { Reader } from '../../src/view/Reader.ts';
import type { AnyReads } from '../ReadsOf.ts';
import type { Accessor, ReadHook } from './SolidRuntime.ts';

/** A list of reads with the reader of each. */
export interface ListedReads {
  readonly reads: AnyReads;
  readonly readers: readonly Reader[];
}

/** `createRead`: the hook of one read. */
export function createReads<T>(
  listed: Accessor<ListedReads>,
  createRead: ReadHook<T>,
): Accessor<readonly T[]> {
  const known = new WeakMap<Reader, AnyReads[number]>();
  const distinct = createMemo(() => {
    const { reads, readers } = listed();
    return readers.map((reader, at) => {
      if (!known.has(reader)) known.set(reader, reads[at] as AnyReads[number]);
      return known.get(reader) as AnyReads[number];
    });
  });
  // a memo: requests start before anything is read
  return createMemo(
    mapArray(distinct, ([endpoint, ...args]) =>
      createRead(endpoint, ...args.map((arg) => () => arg)),
    ),
  );
}
