/** How a stream catches up after a gap: reads that may have changed in the meantime are refetched. */
import type { Controller, KeyTest } from '../Controller.ts';
import { SignalboxError } from '../errors.ts';
import { isEndpoint } from '../endpoint/isEndpoint.ts';
import { anyOf } from './MessageBatcher.ts';
import type { ResyncPolicy, MissedPeriod } from '../sync/StreamOptions.ts';

/** Returns the function to call after a gap. Throws L5 for a value without reads. */
export function catchUp(
  controller: Controller,
  policy: ResyncPolicy,
): (gap: MissedPeriod) => void | Promise<void> {
  if (typeof policy === 'function') return (gap) => policy(controller, gap);
  if (!policy) return () => {};
  const test = anyOf(policy.flatMap(readsOf));
  return () => controller.expireAll(test);
}

/** An endpoint itself, or the reads among the members of a resource. */
function readsOf(named: object): readonly KeyTest[] {
  const members: readonly unknown[] = isEndpoint(named) ? [named] : Object.values(named ?? {});
  const reads = members.filter(isEndpoint).filter(({ sideEffect }) => !sideEffect);
  if (reads.length === 0) throw new SignalboxError('L5', { value: named });
  return reads;
}
