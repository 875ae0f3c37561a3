/** What development tools see of a commit: whose readers are told, and why. In production nobody is told. */
import type { Ref } from '../schema/schema.ts';

/**
 * Told of each record whose readers are told. `news`: the fields that changed in it; `true` where it came, went, or has
 * other members; without, it shows something that changed.
 */
export type NotifyHook = (record: Ref, news?: readonly string[] | true) => void;

let present: NotifyHook | undefined;

declare const process: { env: { NODE_ENV?: string } };

/** Calls who is there, if anybody is; undefined in production builds. */
export const onNotify: NotifyHook | undefined =
  process.env.NODE_ENV === 'production' ? undefined : (record, news) => present?.(record, news);

/** Lets this one be told from now on; gives who was told before. */
export function setNotifyHook(next: NotifyHook | undefined): NotifyHook | undefined {
  const before = present;
  present = next;
  return before;
}
