/** What on a disk shows something that cannot be used. */
import { keyOfFiled, keysShownBy } from './Filed.ts';
import type { Filed } from './Filed.ts';

/** The keys of all that shows one of the `broken`, at whatever depth, and of these. */
export function shaken(entries: Iterable<Filed>, broken: Iterable<string>): Set<string> {
  const found = new Set(broken);
  if (found.size === 0) return found;
  const shownBy = new Map<string, string[]>();
  for (const filed of entries) {
    const key = keyOfFiled(filed);
    for (const shown of keysShownBy(filed)) {
      const holders = shownBy.get(shown);
      if (holders === undefined) shownBy.set(shown, [key]);
      else holders.push(key);
    }
  }
  // a set that grows while it is walked is walked to its end
  for (const key of found) for (const holder of shownBy.get(key) ?? []) found.add(holder);
  return found;
}
