/** Readers of stored rows by other ways than a signal of a request. */
import { computed } from '@preact/signals-core';
import { All, liveResult } from 'signalbox';
import type { Controller, Reader, ReadonlySignal } from 'signalbox';
import { outline } from './storeReaders.ts';
import type { Shown } from './storeReaders.ts';
import { Row } from './server.ts';

/** A list as live readers see the list, field by field. */
export function lively(view: Reader): ReadonlySignal<unknown> {
  const result = liveResult(view);
  return computed(() => {
    const rows = result.value.data as readonly Row[] | undefined;
    return rows?.map(({ id, kind, a, b, n, tags }) => ({ id, kind, a, b, n, tags }));
  });
}

const byText = (rows: readonly unknown[]): readonly never[] =>
  [...rows].sort((one, other) => (outline(one) < outline(other) ? -1 : 1)) as never[];

/** Every stored row, by the text: the model does not know the order of arrival. */
export function everyRow(controller: Controller): Shown {
  const all = controller.query(new All(Row)).result;
  return {
    name: 'every row',
    source: computed(() => all.value.data && byText(all.value.data)),
    wanted: (_, picture, seen) => {
      const rows = [...picture.rows.keys()].map((id) => picture.row(id));
      if (rows.length > 0) return byText(rows);
      // the model does not know whether the table is empty, or unknown
      return Array.isArray(seen) && seen.length === 0 ? [] : undefined;
    },
  };
}
