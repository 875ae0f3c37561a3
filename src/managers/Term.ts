/** A schema, as tabs name it. */

/** Its name, an array of one that has a name, or null for none. */
export type Term = string | null | readonly [string];
