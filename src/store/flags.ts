/** The bits of a record's `flags`. */

/** The value must be built before it is read. */
export const DIRTY = 1;
/** A reader holds the value: it must be copied, not changed. */
export const SHARED = 2;
/** The value is being built further up the call stack. */
export const BUILDING = 4;
/** Something the value needs is missing. */
export const INCOMPLETE = 8;
/** A record in a circle took the value for whole while it was being built. */
export const READ_IN_CYCLE = 16;
/** Passed by a walk that visits each record once; cleared by that walk. */
export const VISITED = 32;
/** A part of the value may be another: it is not enough to take over the parts as last built. */
export const PARTS_DIRTY = 64;
/** Live readers are to look again, too, if the value turns out to be another. */
export const SHAPE_CHANGED = 256;
/** A function of the user's threw when the value was built. */
export const THREW = 128;
/** Its readers are to be told at the end of the commit, if the value turns out to be another (see mark.ts). */
export const QUEUED = 512;
/** As `NOTED`, and the value is surely another. */
export const CHANGED = 1024;
/** From this bit on stands the age in which somebody last took hold of the record (see Sweep). */
export const GC_AGE = 2048;
