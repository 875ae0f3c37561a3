/** One mutation in the log, and how it stands on the disk. */
import type { Args } from '../schema/schema.ts';

/**
 * What is sent one after the other: the mutations of one entity, or the creations of one kind. A number: those that name
 * an entity by its temporary key wait for the creation with this id.
 */
export type Line = string | number;

/** A temporary key in arguments, the id of the creation that shows it, and which of the keys that this makes. */
export type Unnamed = readonly [key: string, creation: number, at: number];

/** A mutation before it has its place. */
export interface Draft {
  readonly name: string;
  readonly args: Args;
  readonly idempotencyKey: string;
  /** When it was issued: wall time, ms since 1970. */
  readonly since: number;
  /** How often it has been sent. */
  readonly attempts: number;
  /** The pause until the next attempt: when it began and when it ends, wall time, ms since 1970. */
  readonly pause: readonly [from: number, to: number];
  readonly unnamed: readonly Unnamed[];
}

export interface Entry extends Draft {
  /** Later ones are greater. */
  readonly id: number;
  readonly line: Line;
}

/** How long an entry must still wait, ms. A clock that was set back ends a pause that began after it. */
export function pauseOf({ pause: [from, to] }: Entry, now: number): number {
  return now < from ? 0 : Math.max(to - now, 0);
}

/** As the disk has it: a list, since a build may call members by any name. */
export function write(entry: Entry, version: string): unknown {
  const { name, args, idempotencyKey, since, attempts, pause, unnamed } = entry;
  return [version, name, args, idempotencyKey, since, attempts, pause, unnamed];
}

/** The entry, or why it is none. */
export function read(value: unknown, key: IDBValidKey, version: string): Entry | string {
  const [, line, id] = key as [unknown, Line, number];
  if (!Array.isArray(value) || typeof id !== 'number') return 'it is no mutation';
  const [of, name, args, idempotencyKey, since, attempts, pause, unnamed] = value as unknown[];
  if (of !== version) return `it is of version ${String(of)}`;
  const texts = [name, idempotencyKey].every((text) => typeof text === 'string');
  const numbers = [since, attempts].every((number) => typeof number === 'number');
  const lists = [args, pause, unnamed].every((list) => Array.isArray(list));
  if (!texts || !numbers || !lists) return 'it is damaged';
  const draft = { name, args, idempotencyKey, since, attempts, pause, unnamed } as Draft;
  return { ...draft, id, line };
}
