/** Reads the log when a page starts. */
import { warn } from '../errors.ts';
import type { Emitter } from '../request/Events.ts';
import type { LogEntry } from './LogEntry.ts';
import type { MutationLog } from './MutationLog.ts';
import type { LoggedMutation, QueueEvents } from './QueueEvents.ts';

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
