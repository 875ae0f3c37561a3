/** An entry of the log in the form of the present build. */
import { DEV } from '../errors.ts';
import type { LogEntry } from './LogEntry.ts';

export interface EntryForms {
  /** The version of the present build. */
  readonly version: string;
  /** True if a mutation of this build has the name. */
  readonly has: (name: string) => boolean;
  /** Converts an entry of another version; undefined: no conversion is known; null: the entry is dropped. */
  readonly migrate: (entry: LogEntry) => LogEntry | undefined | null;
}

/** The result for an entry: `aside` and `drop` tell why the entry is not sent. */
export interface Adapted {
  readonly entry: LogEntry;
  readonly aside?: string;
  readonly drop?: string;
}

export function adaptEntry(old: LogEntry, { version, has, migrate }: EntryForms): Adapted {
  let entry: LogEntry | undefined | null = old;
  if (old.version !== version) {
    try {
      entry = migrate(old);
    } catch (error) {
      return { entry: old, aside: `migrate: ${String(error)}` };
    }
  }
  if (entry === null) return { entry: old, drop: DEV ? "migrate() returned 'drop'" : 'migrate' };
  if (entry === undefined) return { entry: old, aside: `version ${old.version}` };
  return has(entry.name) ? { entry } : { entry: old, aside: `name ${entry.name}` };
}
