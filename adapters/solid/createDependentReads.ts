/** A list of reads that may wait for the data of another read. */
import { createMemo } from 'solid-js';
import type { Accessor } from 'solid-js';
import type { Reader } from '../../src/view/Reader.ts';
import { findReaders } from '../ReadsOf.ts';
import type { AnyReads } from '../ReadsOf.ts';
import { createReads } from '../solid-shared/createReads.ts';
import { useControllerContext } from '../solid-shared/SolidRuntime.ts';
import type { ReadHook } from '../solid-shared/SolidRuntime.ts';
import { evaluateParams } from './solidRuntime.ts';

interface DependentReads<T> {
  /** The result of each hook. Throws the exception of the function that lists the reads. */
  readonly each: Accessor<readonly T[]>;
  /** As `each`, and empty where that throws. */
  readonly known: Accessor<readonly T[]>;
  /** The reads, made of placeholders, while they wait for another accessor. */
  readonly placeholders: Accessor<AnyReads | undefined>;
}

/** `createRead`: the hook of one read. An exception of `reads` is thrown at the place that reads. */
export function createDependentReads<T>(
  hook: string,
  reads: Accessor<AnyReads>,
  createRead: ReadHook<T>,
): DependentReads<T> {
  const { controller } = useControllerContext(hook);
  const current = createMemo(() =>
    evaluateParams<AnyReads, readonly Reader[]>(reads, (value) => findReaders(controller, value)),
  );
  const listed = () => ({ reads: current().value ?? [], readers: current().resolved ?? [] });
  const known = createReads(listed, createRead);
  return {
    known,
    each: () => {
      const { error } = current();
      if (error !== undefined) throw error;
      return known();
    },
    placeholders: () => (current().dependency === undefined ? undefined : current().value),
  };
}
