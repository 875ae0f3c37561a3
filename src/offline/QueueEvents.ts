/** The events of an offline queue. */
import type { Args } from '../schema/schema.ts';
import type { Pending } from './QueuedMutations.ts';
import { warn } from '../errors.ts';
import type { Emitter } from '../request/Events.ts';
import type { LogEntry } from './LogEntry.ts';
import type { MutationLog } from './MutationLog.ts';

/** A mutation as it is in the log. */
export interface LoggedMutation {
  /** For `discard`. */
  readonly id: number;
  /** The name of the endpoint in `names` when the mutation was logged. */
  readonly name: string;
  readonly args: Args;
  /** The `version` under which the mutation was logged. */
  readonly version: string;
  /** When the mutation was issued: wall time, ms since 1970. */
  readonly since: number;
}

/** The events of `queue.on(event, listener)` by name, with the argument of the listener. */
export interface QueueEvents {
  /** The server refused `mutation` with `error`, and nothing is sent to its origin until `retry()`. */
  hold: { readonly mutation: Pending; readonly error: unknown };
  /** An origin that was held has accepted a mutation: the other mutations follow. */
  resume: { readonly mutation: Pending };
  /** A mutation stays in the log and is not sent by this build: its name or its version is unknown. */
  aside: { readonly mutation: LoggedMutation; readonly reason: string };
  /** A mutation was removed from the log unsent. `mutation` is undefined if the record cannot be read. */
  drop: {
    readonly mutation: LoggedMutation | undefined;
    readonly reason: string;
    /** The record as it was on the disk. */
    readonly value: unknown;
  };
  /** Records of the log cannot be decoded: they stay in the log, unsent. `reason`: the error of the first one. */
  undecoded: { readonly count: number; readonly reason: unknown };
}

/**
 * Returns the entries to send, in the order of issue. An entry that is dropped or set aside, or cannot be decoded,
 * emits an event, and a warning.
 */
export async function readLog(
  { log, name }: { readonly log: MutationLog; readonly name: string },
  events: Emitter<QueueEvents>,
): Promise<readonly LogEntry[]> {
  const { entries, dropped, aside, undecoded } = await log.read();
  for (const { entry, value, reason } of dropped) {
    warn('O1', reason, { log: name, reason });
    events.emit('drop', () => ({ mutation: entry && toLogged(entry), reason, value }));
  }
  for (const { entry, reason } of aside) {
    if (entry === undefined) continue;
    warn('O3', `${entry.name} ${reason}`, { name: entry.name, reason });
    events.emit('aside', () => ({ mutation: toLogged(entry), reason }));
  }
  const [reason] = undecoded;
  if (undecoded.length > 0) {
    warn('O7', String(reason), { log: name, count: undecoded.length, reason });
    events.emit('undecoded', () => ({ count: undecoded.length, reason }));
  }
  return entries;
}

export function toLogged({ id, name, args, version, since }: LogEntry): LoggedMutation {
  return { id, name, args, version, since };
}
