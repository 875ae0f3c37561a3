/** An entry of the log in the form of the present build. */
import { DEV } from '../diagnostics.ts';
import type { LogEntry } from './LogEntry.ts';

export interface EntryForms {
  /** Of the present build. */
  readonly version: string;
  /** True where a mutation of this build has the name. */
  readonly has: (name: string) => boolean;
  /** An entry of another version in the form of this one; undefined: none is known; null: it is to be dropped. */
  readonly migrate: (entry: LogEntry) => LogEntry | undefined | null;
}

/** What becomes of an entry: `aside` and `drop` say why it is not sent. */
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
  if (entry === null) return { entry: old, drop: DEV ? 'migrate() said so' : 'migrate' };
  if (entry === undefined) return { entry: old, aside: `version ${old.version}` };
  return has(entry.name) ? { entry } : { entry: old, aside: `name ${entry.name}` };
}
