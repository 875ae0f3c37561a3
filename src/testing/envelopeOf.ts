/** Puts rows into the envelope that a schema describes, as a server would send it. */
import { ObjectKind } from '../schema/containers.ts';
import { Delete } from '../schema/Delete.ts';
import type { Fields, Kind } from '../schema/schema.ts';

/** What stands in the places of an envelope. */
export interface EnvelopeContents {
  /** The kind of the rows: other entities are not served. */
  readonly kind: Kind;
  /** One row, or several. */
  readonly rows: Fields | readonly Fields[];
  /** Where a list has keys. */
  keyOf(row: Fields): string | undefined;
  /** The rows of the list with this name, where there are several lists. */
  listed(name: string, rows: readonly Fields[]): readonly Fields[];
  /** What a literal with this name says. */
  figure(name: string, literal: unknown): unknown;
}

export function envelopeOf(schema: Kind, contents: EnvelopeContents, name = ''): unknown {
  const { kind, rows } = contents;
  if (schema instanceof ObjectKind) {
    const members = schema.members.map(([at, inner]) => [at, envelopeOf(inner, contents, at)]);
    return Object.fromEntries(members as [string, unknown][]);
  }
  const empty = schema.empty();
  if (!(schema instanceof Delete) && rowKindIn(schema) !== kind)
    return contents.figure(name, empty);
  // what is empty tells what it is: an array, an object by keys, or one
  if (typeof empty !== 'object') return rows;
  const listed = contents.listed(name, [rows].flat());
  if (Array.isArray(empty)) return listed;
  return Object.fromEntries(listed.map((row) => [contents.keyOf(row), row]));
}

/** The first kind in a schema that tells entities: an entity class, or a union of them. */
export function rowKindIn(schema: Kind): Kind | undefined {
  if (schema.target !== undefined) return schema;
  for (const inner of schema.inner?.() ?? []) {
    const found = rowKindIn(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The names of the lists of rows of `kind` in a schema; '' where the schema itself is one. */
export function listsIn(schema: Kind, kind: Kind, name = ''): readonly string[] {
  if (schema instanceof ObjectKind) {
    return schema.members.flatMap(([at, inner]) => listsIn(inner, kind, at));
  }
  return typeof schema.empty() === 'object' && rowKindIn(schema) === kind ? [name] : [];
}

/** True for a schema of rows by key. */
export function isKeyed(schema: Kind, kind: Kind): boolean {
  if (schema instanceof ObjectKind) return schema.members.some(([, inner]) => isKeyed(inner, kind));
  const empty = schema.empty();
  return typeof empty === 'object' && !Array.isArray(empty) && rowKindIn(schema) === kind;
}

/** The body of an answer whose `link` comes in a header: the endpoint's own `fetch` puts it in. */
export function withoutLink(schema: Kind): Kind {
  if (!(schema instanceof ObjectKind)) return schema;
  const members = schema.members.filter(([name]) => name !== 'link');
  if (members.length === schema.members.length) return schema;
  return members.length === 1
    ? (members[0] as readonly [string, Kind])[1]
    : new ObjectKind(members);
}
