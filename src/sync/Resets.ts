/** Sets of resets: data are shown and stored only where no later reset is known. */

/**
 * The last reset of each tab that was reset itself, as logical times in ascending order. The fraction of a time
 * identifies the tab. A tab that is reset again knew its former reset.
 */
export type Resets = readonly number[];

/** True if the reset at `time`, or a later one of the same tab, is among `resets`. */
export function hasReset(resets: Resets, time: number): boolean {
  return resets.some((known) => known >= time && Number.isInteger(known - time));
}

/** All resets of both sets. */
export function mergeResets(one: Resets, other: Resets): Resets {
  const all = [...new Set([...one, ...other])].sort((a, b) => a - b);
  return all.filter((time, at) => !hasReset(all.slice(at + 1), time));
}

const PREFIX = 'tabs ';

/** The resets as the generation of a disk: equal sets have equal texts. */
export function generationOf(resets: Resets): string {
  return PREFIX + resets.join(' ');
}

/** The resets in the generation of a disk; undefined if connected tabs have not begun this generation. */
export function resetsOf(generation: string): Resets | undefined {
  return generation.startsWith(PREFIX)
    ? generation.slice(PREFIX.length).split(' ').map(Number)
    : undefined;
}
