/** Entities shown before their server has named them: requests that name them wait for its name. */
import { DEV, SignalboxError } from '../diagnostics.ts';
import type { Args, Node } from '../schema/schema.ts';
import { keysIn, swapKeys } from '../schema/swapKeys.ts';
import { EntityRecord } from '../store/EntityRecord.ts';
import { takeFirstOfKind } from '../store/TempIdMatcher.ts';
import { eachRecord } from '../store/eachRecord.ts';

/**
 * Ends the creations of one request: the answer names them; what it does not name fails for this reason. Gives the
 * server's keys by ours.
 */
export type TempIdResolver = (answer: Node, reason?: unknown) => ReadonlyMap<string, unknown>;

/** Ends one: takes out of those that were named, or fails. */
type End = (named: EntityRecord[], reason: unknown) => Name | undefined;

/** A temporary key, and the primary key from the server. */
type Name = readonly [string, unknown];

// temporary keys that are remembered, for links to rows that were just made
const MOST = 1_000;

export class TempIds {
  readonly #known = new Map<string, Promise<Name>>();

  /** `made` are shown under keys of our own, in the order in which the answer is going to name them. */
  begin(made: readonly EntityRecord[], args: Args): TempIdResolver | undefined {
    if (made.length === 0) return undefined;
    // a key that the caller gave is the server's, too
    const given = keysIn(args);
    const ends = made.filter(({ pk }) => !given.includes(pk)).map((record) => this.#begin(record));
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST) break;
      this.#known.delete(oldest);
    }
    return (answer, reason: unknown = DEV ? 'the answer does not name it' : 'unnamed') => {
      const records: EntityRecord[] = [];
      eachRecord(answer, (record) => record instanceof EntityRecord && records.push(record));
      return new Map(ends.map((end) => end(records, reason)).filter((name) => name !== undefined));
    };
  }

  /** Gives how it ends: the first of a kind that was made is the first of it in the answer. */
  #begin({ pk, kind }: EntityRecord): End {
    let end!: End;
    const name = new Promise<Name>((resolve, reject) => {
      end = (named, reason) => {
        const record = takeFirstOfKind(named, kind);
        if (record === undefined) {
          reject(unresolvedTempId(pk, reason));
          return undefined;
        }
        const known: Name = [pk, keyIn(record)];
        resolve(known);
        return known;
      };
    });
    // who does not wait need not hear of it
    name.catch(() => {});
    this.#known.set(pk, name);
    return end;
  }

  /** The same arguments with the server's keys in the place of ours; undefined where there are none of ours. */
  resolveArgs(args: Args): Promise<Args> | undefined {
    if (this.#known.size === 0) return undefined;
    const waits = keysIn(args).flatMap((key) => this.#known.get(key) ?? []);
    if (waits.length === 0) return undefined;
    return Promise.all(waits).then((names) => {
      const real = new Map(names);
      return swapKeys(args, (key) => real.get(key));
    });
  }
}

/** Of what waits for a name that never comes. */
export function unresolvedTempId(pk: string, reason: unknown): SignalboxError {
  return new SignalboxError('E6', { pk, reason }, { status: 400, cause: reason });
}

/** The primary key as the entity has it: a number stays one. */
function keyIn(record: EntityRecord): unknown {
  const { kind, pk, confirmedFields } = record;
  const { namedBy } = kind.plan;
  if (namedBy === undefined) return pk;
  return confirmedFields?.[namedBy.field] ?? (namedBy.numeric ? Number(pk) : pk);
}
