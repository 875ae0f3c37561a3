/** Puts the records of a log that the platform has deleted into the log that replaces it. */
import { EntryStore, entryKey } from './EntryStore.ts';
import type { Section } from './EntryStore.ts';
import { readEntry } from './LogEntry.ts';
import type { LogEntry } from './LogEntry.ts';
import type { LogRecords } from './LogRecords.ts';
import type { LostRecords } from './LogStore.ts';
import { answerKey } from './MutationResult.ts';

/** The new ids of mutations, by their ids in the lost log. */
export type MovedIds = ReadonlyMap<number, number>;

interface LostEntry {
  readonly section: Section;
  readonly entry: LogEntry;
}

/**
 * `hasSameIds`: another page has restored the log before. Otherwise the present log was begun by a page that did not
 * know the lost log, and all mutations get new ids, which are returned.
 */
export function restoreLog(
  records: LogRecords,
  lost: LostRecords['records'],
  hasSameIds: boolean,
): MovedIds {
  const entries = lostEntries(lost);
  const all = new EntryStore(records);
  const present = all.everything().flatMap(({ entry }) => entry ?? []);
  if (hasSameIds) {
    const ended = new Set(present.flatMap(({ id, merged }) => [id, ...merged.map(([of]) => of)]));
    for (const { section, entry } of entries)
      if (!ended.has(entry.id) && records.get(answerKey(entry.id)) === undefined)
        all.put(entry, section);
    for (const [key, value] of lost)
      if (/^(answer|lease):/.test(key) && records.get(key) === undefined) records.put(key, value);
    return new Map();
  }
  const known = new Map(present.map((entry) => [entry.idempotencyKey, entry]));
  const ids = new Map<number, number>();
  const newId = (id: number) => ids.get(id) ?? id;
  for (const { entry } of entries) {
    const same = known.get(entry.idempotencyKey);
    for (const [at, [id]] of entry.merged.entries())
      ids.set(id, same?.merged[at]?.[0] ?? ++records.last);
    ids.set(entry.id, same?.id ?? ++records.last);
  }
  for (const { section, entry } of entries)
    if (!known.has(entry.idempotencyKey)) all.put(moveEntry(entry, newId), section);
  return ids;
}

function lostEntries(lost: LostRecords['records']): readonly LostEntry[] {
  const all = lost.flatMap(([key, value]): LostEntry[] => {
    const entry = readEntry(value);
    const section = (['entry', 'aside'] as const).find(
      (name) => key === entryKey(entry?.id ?? 0, name),
    );
    return entry === undefined || section === undefined ? [] : [{ section, entry }];
  });
  return all.sort((a, b) => a.entry.id - b.entry.id);
}

/** The entry with new ids, also of the creations for which it waits, and of the mutations that are merged into it. */
export function moveEntry(entry: LogEntry, newId: (id: number) => number): LogEntry {
  const { id, queue, tempIds, merged } = entry;
  return {
    ...entry,
    id: newId(id),
    queue: typeof queue === 'number' ? newId(queue) : queue,
    tempIds: tempIds.map(([key, creation, at]) => [key, newId(creation), at]),
    merged: merged.map(([of, name]) => [newId(of), name]),
  };
}
