/** Temporary primary keys of optimistic entities: requests that contain them wait for the server's keys. */
import { DEV, SignalboxError } from '../errors.ts';
import type { EntityDescriptor } from '../schema/EntityDescriptor.ts';
import type { Args } from '../schema/schema.ts';
import { keysIn, swapKeys } from '../schema/toPk.ts';
import { EMPTY } from '../store/records/append.ts';
import { EntityRecord } from '../store/entities/EntityRecord.ts';
import { forgetOldest } from '../store/entities/EntityTable.ts';
import type { ResolveTempIds, TempIdSource } from '../request/OptimisticWrites.ts';
import { takeFirstOfKind } from './LayerKeyChanges.ts';
import { eachRecord } from '../store/records/eachRecord.ts';

/** Ends one creation: removes its match from `named`, or fails with `reason`. */
type ResolveTempId = (named: EntityRecord[], reason: unknown) => readonly KeyReplacement[];

/** A temporary key, and the primary key from the server. */
type KeyReplacement = readonly [string, unknown];

export class TempIds implements TempIdSource {
  readonly #resolutions = new Map<string, Promise<KeyReplacement>>();

  /** `created`: the entities with temporary keys, in the order in which the response will contain them. */
  expectKeys(created: readonly EntityRecord[], args: Args): ResolveTempIds {
    // a key in the arguments was chosen by the caller: the server keeps it
    const callerKeys = keysIn(args);
    const kept = new Set(created.filter(({ pk }) => callerKeys.includes(pk)));
    const ends = created
      .filter((record) => !kept.has(record))
      .map((record) => this.#expectKey(record));
    forgetOldest(this.#resolutions);
    return (answer, reason: unknown = DEV ? 'the response has no key for it' : 'unknown') => {
      const records: EntityRecord[] = [];
      eachRecord(
        answer,
        (record) => record instanceof EntityRecord && !kept.has(record) && records.push(record),
      );
      return new Map(ends.flatMap((end) => end(records, reason)));
    };
  }

  /** Returns the function that ends the creation. Entities of one kind match those of the response in their order. */
  #expectKey({ pk, kind }: EntityRecord): ResolveTempId {
    let end!: ResolveTempId;
    const name = new Promise<KeyReplacement>((resolve, reject) => {
      end = (named, reason) => {
        const record = takeFirstOfKind(named, kind);
        if (record === undefined || record.pk === pk) {
          reject(unresolvedTempIdError(pk, reason));
          return EMPTY;
        }
        const known: KeyReplacement = [pk, typedPkOf(record)];
        resolve(known);
        return [known];
      };
    });
    // prevents an unhandled rejection if no request waits for this key
    name.catch(() => {});
    this.#resolutions.set(pk, name);
    return end;
  }

  /** The promised keys of the temporary keys in `args`. */
  resolutionsFor(args: Args): Promise<KeyReplacement>[] {
    return keysIn(args).flatMap((key) => this.#resolutions.get(key) ?? []);
  }

  /** Replaces temporary keys in `args` by the server's keys. Undefined if `args` contains none. */
  resolveArgs(args: Args): Promise<Args> | undefined {
    const waits = this.resolutionsFor(args);
    if (waits.length === 0) return undefined;
    return Promise.all(waits).then((names) => {
      const serverKeys = new Map(names);
      return swapKeys(args, (key) => serverKeys.get(key));
    });
  }
}

/** The error of a request whose temporary key will never be resolved. */
export function unresolvedTempIdError(pk: string, reason: unknown): SignalboxError {
  return new SignalboxError('E6', { pk, reason }, { status: 400, cause: reason });
}

/** The primary key as the entity stores it: a numeric key stays a number. */
function typedPkOf(record: EntityRecord): unknown {
  const { kind, pk, confirmedFields } = record;
  const { declaredPkField } = kind.descriptor;
  if (declaredPkField === undefined) return pk;
  return confirmedFields?.[declaredPkField.field] ?? (declaredPkField.numeric ? Number(pk) : pk);
}

/** The temporary primary key of this number: of the type that the class declares, and unlike any server key. */
export function createTempPk(
  { declaredPkField }: EntityDescriptor,
  serial: number,
): string | number {
  hasIssuedTempIds = true;
  const isNumeric = declaredPkField?.numeric === true;
  return isNumeric ? Number.MIN_SAFE_INTEGER + serial : `temporary-${serial}`;
}

/** True once a temporary key was created. */
export let hasIssuedTempIds = false;

/** True for temporary keys that are numbers. A text key may come from a server. */
export function isNumericTempPk(pk: string): boolean {
  return /^-90071\d{11}$/.test(pk);
}
