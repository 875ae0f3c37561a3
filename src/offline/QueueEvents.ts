/** The events of an offline queue. */
import type { Args } from '../schema/schema.ts';
import type { Pending } from './QueuedMutations.ts';
import type { LogEntry } from './LogEntry.ts';

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

export function toLogged({ id, name, args, version, since }: LogEntry): LoggedMutation {
  return { id, name, args, version, since };
}
