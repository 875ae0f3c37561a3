/** The name of a schema in messages between tabs. */

/** The name, an array with the name of a member schema, or null for no schema. */
export type SchemaRef = string | null | readonly [string];
