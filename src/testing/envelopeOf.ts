/** Puts rows into the envelope that a schema describes, as a server would send it. */
import { ObjectKind } from '../schema/containers.ts';
import { Delete } from '../schema/Delete.ts';
import type { Fields, Kind } from '../schema/schema.ts';

/** The contents of an envelope. */
interface EnvelopeContents {
  /** The kind of the rows: other entities are not served. */
  readonly kind: Kind;
  /** One row, or several. */
  readonly rows: Fields | readonly Fields[];
  /** The key of a row, for lists with keys. */
  keyOf(row: Fields): string | undefined;
  /** The rows of the list with this name, for envelopes with several lists. */
  listed(name: string, rows: readonly Fields[]): readonly Fields[];
  /** The value of a literal with this name. */
  figure(name: string, literal: unknown): unknown;
}

export function envelopeOf(schema: Kind, contents: EnvelopeContents, name = ''): unknown {
  const { kind, rows } = contents;
  if (schema instanceof ObjectKind) {
    const members = schema.members.map(([at, inner]) => [at, envelopeOf(inner, contents, at)]);
    return Object.fromEntries(members as [string, unknown][]);
  }
  const empty = schema.emptyValue?.();
  if (!(schema instanceof Delete) && rowKindIn(schema) !== kind)
    return contents.figure(name, empty);
  // the type of an empty schema value decides: an array, an object by keys, or one row
  if (typeof empty !== 'object') return rows;
  const listed = contents.listed(name, [rows].flat());
  if (Array.isArray(empty)) return listed;
  return Object.fromEntries(listed.map((row) => [contents.keyOf(row), row]));
}

/** The first kind in a schema that identifies entities: an entity class, or a union of entity classes. */
export function rowKindIn(schema: Kind): Kind | undefined {
  if (schema.storedKindOf !== undefined) return schema;
  for (const inner of schema.innerKinds?.() ?? []) {
    const found = rowKindIn(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The names of the lists of rows of `kind` in a schema; '' if the schema itself is a list. */
export function listsIn(schema: Kind, kind: Kind, name = ''): readonly string[] {
  if (schema instanceof ObjectKind) {
    return schema.members.flatMap(([at, inner]) => listsIn(inner, kind, at));
  }
  return typeof schema.emptyValue?.() === 'object' && rowKindIn(schema) === kind ? [name] : [];
}

/** True for a schema of rows by key. */
export function isKeyed(schema: Kind, kind: Kind): boolean {
  if (schema instanceof ObjectKind) return schema.members.some(([, inner]) => isKeyed(inner, kind));
  const empty = schema.emptyValue?.();
  return typeof empty === 'object' && !Array.isArray(empty) && rowKindIn(schema) === kind;
}

/** The body schema of a response with its `link` in a header: the endpoint's own `fetch` adds the `link`. */
export function withoutLink(schema: Kind): Kind {
  if (!(schema instanceof ObjectKind)) return schema;
  const members = schema.members.filter(([name]) => name !== 'link');
  if (members.length === schema.members.length) return schema;
  return members.length === 1
    ? (members[0] as readonly [string, Kind])[1]
    : new ObjectKind(members);
}
