/** The hook of development tools: called for each record with notified readers; absent in production builds. */
import type { Ref } from '../../schema/schema.ts';

/**
 * Called for each record with notified readers. `news`: the changed fields; `true`: the record appeared, disappeared,
 * or has other members; absent: a part of the record changed.
 */
export type NotifyHook = (record: Ref, news?: readonly string[] | true) => void;

let currentHook: NotifyHook | undefined;

declare const process: { env: { NODE_ENV?: string } };

/** Calls the present hook, if there is one; undefined in production builds. */
export const onNotify: NotifyHook | undefined =
  process.env.NODE_ENV === 'production' ? undefined : (record, news) => currentHook?.(record, news);

/** Sets the hook; returns the hook before. */
export function setNotifyHook(next: NotifyHook | undefined): NotifyHook | undefined {
  const before = currentHook;
  currentHook = next;
  return before;
}
