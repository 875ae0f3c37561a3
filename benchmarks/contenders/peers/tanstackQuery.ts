/**
 * TanStack Query core. The list is one blob under one key, kept with structural sharing. One observer watches it and
 * gives rows to row views by reference: faster than an observer with `select` for each row. There is no list of members
 * apart from their rows.
 */
import { MutationObserver, notifyManager, QueryClient, QueryObserver } from '@tanstack/query-core';
import { byScore, touch } from '../../Contender.ts';
import type { Contender, Row } from '../../Contender.ts';
import { figuresOf, openOf, rowViews } from '../rowViews.ts';

// observers are told at once instead of in a timer, so that what they do is measured with the write
notifyManager.setScheduler((notify) => notify());

const queryKey = ['articles'];
const options = { queryKey, enabled: false, staleTime: Infinity };

export function tanstackQuery(): Contender {
  const client = new QueryClient();
  const stored = () => client.getQueryData<Row[]>(queryKey) ?? [];
  const write = (update: (rows: Row[]) => Row[]) =>
    void client.setQueryData<Row[]>(queryKey, (rows = []) => update(rows));
  const change = (id: number, fields: Partial<Row>) =>
    write((rows) => rows.map((row) => (row.id === id ? { ...row, ...fields } : row)));
  return {
    name: 'TanStack Query',
    ingest: (rows) => void client.setQueryData(queryKey, rows),
    readAll: () => touch(stored()),
    mount(ids, list) {
      if (list === 'membership') return undefined;
      let runs = 0;
      const show = rowViews(ids, stored());
      let last = stored();
      new QueryObserver<Row[]>(client, options).subscribe(({ data = [] }) => {
        if (data === last) return;
        last = data;
        runs += show(data) + Number(list === 'snapshot');
      });
      return () => runs;
    },
    subscribe(ids) {
      let runs = 0;
      for (const id of ids) {
        const select = (rows: Row[]) => rows.find((row) => row.id === id);
        new QueryObserver(client, { ...options, select }).subscribe(() => runs++);
      }
      return () => runs;
    },
    mountDerived() {
      let runs = 0;
      const sorted = (rows: Row[]) => openOf(rows).sort(byScore);
      for (const select of [sorted, (rows: Row[]) => figuresOf(openOf(rows))]) {
        new QueryObserver<Row[], Error, unknown>(client, { ...options, select }).subscribe(
          () => runs++,
        );
      }
      return () => runs;
    },
    changeRow: (id, title) => change(id, { title }),
    changeScore: (id, score) => change(id, { score }),
    changeAuthor: (id, name) =>
      write((rows) =>
        rows.map((row) =>
          row.author.id === id ? { ...row, author: { ...row.author, name } } : row,
        ),
      ),
    push: (row) => write((rows) => [...rows, row]),
    move: (id) =>
      write((rows) => [
        ...rows.filter((row) => row.id === id),
        ...rows.filter((row) => row.id !== id),
      ]),
    remove: (id) => write((rows) => rows.filter((row) => row.id !== id)),
    // the row alone is taken back, not the whole list: writes of others that are under way stay
    optimistic(id, title, answer) {
      return new MutationObserver<Row, Error, void, Row | undefined>(client, {
        mutationFn: () => answer,
        onMutate() {
          const before = stored().find((row) => row.id === id);
          change(id, { title });
          return before;
        },
        onSuccess: (row) => change(id, row),
        onError: (_error, _variables, before) => change(id, before ?? {}),
      }).mutate();
    },
  };
}
