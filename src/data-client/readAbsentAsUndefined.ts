/** Object schemas whose absent members read as undefined, not as the default in the schema. */
import { ObjectKind } from '../schema/containers.ts';
import { hasField, isPlainObject } from '../schema/fieldOf.ts';
import { kindOf } from '../schema/kindOf.ts';
import { KIND } from '../schema/schema.ts';
import type { Fields, NormalizedNode, Source } from '../schema/schema.ts';

class SparseObjectKind extends ObjectKind {
  override denormalize(node: NormalizedNode, source: Source): unknown {
    const value = super.denormalize(node, source);
    const { inner } = (node ?? {}) as { readonly inner?: Fields };
    if (!isPlainObject(value) || inner === undefined) return value;
    const absent = this.members.filter(([name]) => !hasField(inner, name));
    if (absent.length === 0) return value;
    const present = { ...value };
    for (const [name] of absent) delete present[name];
    return Object.freeze(present);
  }
}

/** Marks the objects in a schema; lists and classes stay as they are. */
export function readAbsentAsUndefined(schema: unknown): void {
  if (!isPlainObject(schema) || KIND in schema || !Object.isExtensible(schema)) return;
  const members = Object.entries(schema);
  // the inner objects first: the kind of the outer one refers to theirs
  for (const [, inner] of members) readAbsentAsUndefined(inner);
  // a missing member is reported when the schema is first used
  if (members.some(([, inner]) => inner === undefined)) return;
  const kind = () =>
    new SparseObjectKind(members.map(([name, inner]) => [name, kindOf(inner, 'schema', name)]));
  let known: SparseObjectKind | undefined;
  Object.defineProperty(schema, KIND, { get: () => (known ??= kind()), configurable: true });
}
