/** Own writes of the same field in several tabs. */
import type { Commit } from '../request/Events.ts';
import {
  EntityRecord,
  canWriteField,
  changeVersions,
  hasLaterOwnWrite,
} from '../store/StorePort.ts';
import type { Draft, FieldVersions, Stamp, Store, StoreRecord } from '../store/StorePort.ts';

/*
 *   tab 1   sends 'a' ──────────────────────► confirmed at 9     Tab 1 had not heard of 'b': 'a' has time 9, 'b' time 5
 *   tab 2        sends 'b' ──► confirmed at 5                    in all tabs, which end with 'a'.
 *
 * One tab decides by the time of issue: a write is superseded if a write issued later is confirmed already. Tabs that
 * receive the two confirmations in different orders would decide differently. So only the tab that sent a write decides
 * whether it is superseded; all tabs compare logical times, as for other data.
 */
export class OwnWrites {
  /** Written since the last commit. */
  readonly #written = new Set<StoreRecord>();
  readonly stop: () => void;

  constructor(store: Store) {
    this.stop = store.onWrite((record) => this.#written.add(record));
  }

  /** A commit of this tab as other tabs receive it: superseded fields are no own writes. */
  decide(commit: Commit): Commit {
    const written = [...this.#written].filter((record) => record instanceof EntityRecord);
    this.#written.clear();
    const writes = commit.writes.map((write) =>
      write.stamp === undefined ? write : { ...write, stamp: decided(write.stamp, written) },
    );
    return { ...commit, writes };
  }
}

function decided(stamp: Stamp, written: readonly EntityRecord[]): Stamp {
  const { own, time } = stamp;
  if (own === undefined) return stamp;
  const isStanding = (name: string) =>
    !written.some(({ versions }) => hasLaterOwnWrite(name, time, versions));
  return { ...stamp, own: new Set([...own].filter(isStanding)) };
}

/** To be called before a write of another tab: own writes issued later do not supersede the fields of the write. */
export function compareByTime({ patches }: Draft, stamp: Stamp): void {
  if (stamp.own === undefined) return;
  for (const { record } of patches) {
    const { versions } = record;
    const ownIssued = Object.entries(versions.ownIssued ?? {});
    const rest = ownIssued.filter(([name]) => !isReplaced(name, stamp, versions));
    if (rest.length < ownIssued.length)
      changeVersions(record, { ownIssued: Object.fromEntries(rest) });
  }
}

function isReplaced(name: string, stamp: Stamp, versions: FieldVersions): boolean {
  const isOwn = stamp.own?.has(name) === true && hasLaterOwnWrite(name, stamp.time, versions);
  return isOwn && canWriteField(name, stamp, { ...versions, ownIssued: undefined });
}
