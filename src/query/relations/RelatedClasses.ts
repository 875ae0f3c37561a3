/** The classes of related rows: an entity class, or the classes of a union, of which rows name one. */
import { checkArgument, DEV } from '../../errors.ts';
import { EntityKind } from '../../schema/EntityKind.ts';
import { kindOf } from '../../schema/kindOf.ts';
import { KIND } from '../../schema/schema.ts';
import type { EntityClass, Fields, Kind } from '../../schema/schema.ts';
import type { Union } from '../../schema/Union.ts';

/** A union of entity classes. */
// any: a union is invariant in the field that names the class
export type ClassUnion = Union<Readonly<Record<string, EntityClass>>, any>;

/** What a relation leads to. */
export type RowSchema = EntityClass | ClassUnion;

export interface RelatedClasses {
  readonly kinds: readonly EntityKind[];
  /** Undefined for a class. */
  readonly union: ClassUnion | undefined;
}

/** Throws E18 for anything but a class, a union of classes, or a function that returns one. */
export function classesOf(given: RowSchema | (() => RowSchema)): RelatedClasses {
  const isFunction = typeof given === 'function' && !(KIND in given);
  const schema = isFunction ? (given as () => RowSchema)() : given;
  if (isUnion(schema)) {
    const kinds = schema.innerKinds();
    check(schema, kinds.every(isEntity));
    return { kinds: kinds as EntityKind[], union: schema };
  }
  check(schema, typeof schema === 'function' && KIND in schema);
  return { kinds: [kindOf(schema, 'relation') as EntityKind], union: undefined };
}

function check(schema: unknown, isRight: boolean): void {
  const takes = 'an entity class, a union of entity classes, or a function that returns one';
  if (DEV) checkArgument(isRight, 'a relation', schema, takes);
}

function isEntity(kind: Kind): boolean {
  return kind instanceof EntityKind;
}

/** An application with relations does not carry unions. */
export function isUnion(schema: unknown): schema is ClassUnion {
  return typeof schema === 'object' && schema !== null && 'chooseKind' in schema;
}

/** The class that a row names; undefined: none of the union. */
export function namedKind(union: ClassUnion, row: object): EntityKind | undefined {
  return union.chooseKind(row) as EntityKind | undefined;
}

/** The names that rows may give a class: of classes with the same table, else of the extended classes. */
export function classNamesIn({ schema }: ClassUnion, kind: EntityKind): readonly string[] {
  const namesWhere = (isRight: (other: EntityKind) => boolean) =>
    Object.keys(schema).filter((name) => isRight(kindOf(schema[name], 'Union') as EntityKind));
  const names = namesWhere(({ tableKey }) => tableKey === kind.tableKey);
  return names.length > 0 ? names : namesWhere((other) => kind.isOrExtends(other));
}

/** The place of a class, or of the class that it extends. */
export function classPlaceIn(kinds: readonly EntityKind[], kind: EntityKind): string {
  const place = kinds.findIndex(({ tableKey }) => tableKey === kind.tableKey);
  return String(place < 0 ? kinds.findIndex((other) => kind.isOrExtends(other)) : place);
}

/** The class of a value. */
export function kindOfRow(row: Fields): EntityKind | undefined {
  return (row.constructor as { readonly [KIND]?: EntityKind })[KIND];
}
