/** The bits of a record's `flags`. */

/** The value must be built before it is read. */
export const DIRTY = 1;
/** A reader holds the value: a write copies the value instead of changing it in place. */
export const SHARED = 2;
/** The value is being built further up the call stack. */
export const BUILDING = 4;
/** A part that the value needs is missing. */
export const INCOMPLETE = 8;
/** Another record in a cycle assumed this record to be complete while its value was being built. */
export const READ_IN_CYCLE = 16;
/** Visited, in an algorithm that visits each record once and clears this bit at its end. */
export const VISITED = 32;
/** A part may have changed: a build must read the parts again. */
export const REREAD_PARTS = 64;
/** Live readers are notified as well, if the value turns out to have changed. */
export const SHAPE_CHANGED = 256;
/** A user function threw when the value was built. */
export const THREW = 128;
/** Queued to notify its readers at the end of the commit if the value has changed (see markDirty.ts). */
export const QUEUED = 512;
/** As `QUEUED`, and the value has surely changed. */
export const CHANGED = 1024;
/** A read has brought the entity, which says nothing of other lists that it may fit. */
export const UNPLACED = 2048;
/** This bit and all higher ones hold the epoch of the last use of the record (see GarbageCollector.ts). */
export const LOWEST_GC_EPOCH_BIT = 4096;
