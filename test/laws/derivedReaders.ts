/** Readers that see stored rows in another way than a signal of one request. */
import { computed } from '@preact/signals-core';
import { All, liveResult } from 'signalbox';
import type { Controller, Reader, ReadonlySignal } from 'signalbox';
import { outline } from './storeReaders.ts';
import type { Shown } from './storeReaders.ts';
import { Row } from './server.ts';

/** A list as live readers see it, field by field. */
export function lively(view: Reader): ReadonlySignal<unknown> {
  const result = liveResult(view);
  return computed(() => {
    const rows = result.value.data as readonly Row[] | undefined;
    return rows?.map(({ id, kind, a, b, n, tags }) => ({ id, kind, a, b, n, tags }));
  });
}

const byText = (rows: readonly unknown[]): readonly never[] =>
  [...rows].sort((one, other) => (outline(one) < outline(other) ? -1 : 1)) as never[];

/** Every row that is stored, by its text: in which order they came, the model does not know. */
export function everyRow(controller: Controller): Shown {
  const all = controller.query(new All(Row)).result;
  return {
    name: 'every row',
    source: computed(() => all.value.data && byText(all.value.data)),
    wanted: (_, picture, seen) => {
      const rows = [...picture.rows.keys()].map((id) => picture.row(id));
      if (rows.length > 0) return byText(rows);
      // it is not known whether the table is empty, or unknown
      return Array.isArray(seen) && seen.length === 0 ? [] : undefined;
    },
  };
}
