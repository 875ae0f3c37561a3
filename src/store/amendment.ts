/** The write of one entity that is there: nothing of it can fail half-way, so nothing is laid out first. */
import { EntityKind } from '../schema/EntityKind.ts';
import { isPlain } from '../schema/equal.ts';
import { kindOf } from '../schema/kindOf.ts';
import type { Schema } from '../schema/schema.ts';
import type { EntityTable } from './EntityTable.ts';
import { confirmed } from './Layered.ts';
import type { Stamp } from './order.ts';
import { putOf, received } from './Puts.ts';
import type { Laid } from './Puts.ts';
import type { Store } from './Store.ts';

/*
 *   set(Todo, {id: 5}, {title: 'x'})      stored, no nested member, no say of the class's own    written at once
 *   set(Todo, {id: 9}, {title: 'y'})      missing: its constructor may throw                     ┐
 *   set(Todo, {id: 5}, {author: {…}})     several entities                                       ├ laid out (Draft)
 *   set([Todo], [{id: 5, title: 'x'}])    a list                                                 ┘
 */

/** Where a value is no more than that: writes it when called, and gives the number of signals written. */
export function amendment(
  store: Store,
  schema: Schema,
  value: unknown,
  stamp: Stamp,
): (() => number) | undefined {
  const kind = kindOf(schema, 'schema');
  if (!(kind instanceof EntityKind) || !kind.plan.simple || !isPlain(value)) return undefined;
  const pk = kind.pkIn(value, []);
  if (pk === undefined) return undefined;
  const record = store.sweep.find(store.table(kind) as EntityTable, pk);
  if (record?.kind !== kind || !confirmed(record).exists) return undefined;
  const fields = received(value, confirmed(record), stamp);
  const form = kind.formOf(fields);
  if (form.places.length > 0) return undefined;
  const put = putOf(record, fields, kind.plan.absent, kind);
  put.form = form;
  return writing(store, stamp, put);
}

function writing(store: Store, stamp: Stamp, put: Laid): () => number {
  return () => store.commit(() => store.layers.below(put.record).write(put, stamp));
}
