/** The fast write of a single stored entity: needs no draft, since the write cannot fail half-way. */
import { EntityKind } from '../../schema/EntityKind.ts';
import { isPlainObject } from '../../schema/fieldOf.ts';
import { kindOf } from '../../schema/kindOf.ts';
import type { Schema } from '../../schema/schema.ts';
import { createPatch, withoutUnreceivedDefaults } from '../entities/EntityPatch.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import type { EntityTable } from '../entities/EntityTable.ts';
import type { Stamp } from '../records/versioning.ts';
import type { Store } from '../Store.ts';

/*
 *   set(Todo, {id: 5}, {title: 'x'})      stored, no nested member, no custom merge or key       written at once
 *   set(Todo, {id: 9}, {title: 'y'})      missing: its constructor may throw                     ┐
 *   set(Todo, {id: 5}, {author: {…}})     several entities                                       ├ staged (Draft)
 *   set([Todo], [{id: 5, title: 'x'}])    a list                                                 ┘
 */

/** Returns the entity, and a function that writes the value, for a commit; undefined: needs a draft. */
export function prepareFastWrite(
  store: Store,
  schema: Schema,
  value: unknown,
  stamp: Stamp,
): readonly [EntityRecord, () => void] | undefined {
  const kind = kindOf(schema, 'schema');
  if (!(kind instanceof EntityKind) || !kind.descriptor.hasPlainWrites || !isPlainObject(value))
    return undefined;
  const pk = kind.pkIn(value, []);
  if (pk === undefined) return undefined;
  const record = store.gc.findAndMarkUsed(store.table(kind) as EntityTable, pk);
  if (record?.kind !== kind || !record.isConfirmed) return undefined;
  const fields = stamp.derived ? withoutUnreceivedDefaults(value, record, stamp) : value;
  const shape = kind.shapeOf(fields);
  if (shape.nestedIndexes.length > 0) return undefined;
  const patch = createPatch(record, fields, kind.descriptor.undefinedNodes, kind);
  patch.recordShape = shape;
  return [record, () => store.beforeWrite(record).write(patch, stamp)];
}
