/** Formats times and counts for the panel. */
import { toDate } from '../../clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** `340 ms`, `1.2 s`, `75 s`, `12 min`, `3 h`. */
export function formatAge(ms: number): string {
  if (!Number.isFinite(ms)) return 'for ever';
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 2 * MINUTE) return `${Math.round(ms / 1_000)} s`;
  return ms < HOUR ? `${Math.round(ms / MINUTE)} min` : `${Math.round(ms / HOUR)} h`;
}

/** In full seconds, for times that count down or up on the screen. */
export function formatSeconds(ms: number): string {
  return ms < 1_000 ? '0 s' : formatAge(Math.floor(ms / 1_000) * 1_000).replace('.0', '');
}

/** `14:03:09.120`, in local time. */
export function formatTime(at: number): string {
  const date = toDate(at);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** `1 reader`, `2 readers`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
