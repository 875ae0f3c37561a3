/** Maps a schema, in the form that users write, to a kind, and lists the kinds and tables in a kind. */
import { DEV } from '../errors.ts';
import { badDataError } from './badDataError.ts';
import type { NamedEndpoint } from './badDataError.ts';
import { ArrayKind, LiteralKind, ObjectKind } from './containers.ts';
import { DecoderKind, isStandard } from './DecoderKind.ts';
import { KIND } from './schema.ts';
import type { Kind, Schema, StoredKind } from './schema.ts';
import { schemaChecks } from './schemaChecks.ts';

const kinds = new WeakMap<object, Kind>();
/** The place of a schema: an endpoint, or the name of anything else. */
type Owner = string | NamedEndpoint;

/** Schemas that are being converted further up the call stack. */
const inProgress = new Set<object>();

/**
 * The kind of a schema, created once per schema object. `owner` and `member` name the place of the schema in errors.
 * Throws S4 for `undefined` (a circular import is the usual cause) and S12 for a shorthand that contains itself.
 */
export function kindOf(schema: Schema, owner: Owner, member = ''): Kind {
  if (schema === undefined) throw badDataError('S4', { owner: ownerText(owner), member });
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) {
    return new LiteralKind(schema);
  }
  if (KIND in schema) return (schema as { [KIND]: Kind })[KIND];
  if (typeof (schema as Partial<Kind>).normalize === 'function') return schema as Kind;
  const known = kinds.get(schema);
  if (known !== undefined) return known;
  if (inProgress.has(schema)) throw badDataError('S12', { owner: ownerText(owner), member });
  inProgress.add(schema);
  try {
    const made = createKind(schema, owner, member);
    kinds.set(schema, made);
    return made;
  } finally {
    inProgress.delete(schema);
  }
}

function ownerText(owner: Owner): string | undefined {
  return typeof owner === 'string' ? owner : (owner.title ?? owner.name);
}

function createKind(schema: object, owner: Owner, member: string): Kind {
  if (Array.isArray(schema))
    // an empty array has no member schema: the default of a list without normalization
    return schema.length === 0
      ? new LiteralKind(Object.freeze([]))
      : new ArrayKind(kindOf(schema[0], owner, `${member}[0]`));
  if (DEV) schemaChecks?.refuseInstance(schema, ownerText(owner), member);
  if (isStandard(schema) || typeof schema === 'function') return new DecoderKind(schema);
  const path = member && `${member}.`;
  const members = Object.entries(schema).map(
    ([name, inner]) => [name, kindOf(inner, owner, path + name)] as const,
  );
  return new ObjectKind(members);
}

/** The kind itself, and all nested kinds. */
export function kindsIn(kind: Kind): ReadonlySet<Kind> {
  const kinds = new Set([kind]);
  // the loop includes members that are added meanwhile
  for (const each of kinds) for (const inner of each.innerKinds?.() ?? []) kinds.add(inner);
  return kinds;
}

const tableKeysByKind = new WeakMap<Kind, readonly StoredKind['tableKey'][]>();

/** The identities of all tables of a kind and of all nested kinds; computed once per kind. */
export function tableKeysIn(kind: Kind): readonly StoredKind['tableKey'][] {
  const known = tableKeysByKind.get(kind);
  if (known !== undefined) return known;
  const keys = new Set<StoredKind['tableKey']>();
  for (const inner of kindsIn(kind))
    if ('tableKey' in inner) keys.add((inner as StoredKind).tableKey);
  const list = [...keys];
  tableKeysByKind.set(kind, list);
  return list;
}
