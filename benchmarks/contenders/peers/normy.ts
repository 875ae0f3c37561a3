/**
 * normy, as it is used beside TanStack Query: the list is a query whose objects are known by identity. Who changes an
 * object asks for the queries that show it, and sets these anew, shared as far as they are equal. Row views get their row from the list by reference.
 * There is no list of members apart from their rows.
 */
import { createNormalizer } from '@normy/core';
import { replaceEqualDeep } from '@tanstack/query-core';
import { byScore, touch } from '../../Contender.ts';
import type { Contender, Row } from '../../Contender.ts';
import { figuresOf, openOf, rowViews } from '../rowViews.ts';

/** Ids are unique in their kind only. */
function keyOf(object: Record<string, unknown>): string {
  if ('title' in object || 'score' in object) return `article ${String(object['id'])}`;
  return `${'email' in object ? 'author' : 'tag'} ${String(object['id'])}`;
}

export function normy(): Contender {
  const normalizer = createNormalizer({ getNormalizationObjectKey: keyOf });
  const listeners: ((rows: Row[]) => void)[] = [];
  let shown: Row[] = [];
  const set = (rows: Row[]): void => {
    normalizer.setQuery('articles', rows as never);
    const next = replaceEqualDeep(shown, rows);
    if (next === shown) return;
    shown = next;
    for (const listener of listeners) listener(shown);
  };
  const change = (object: object): void => {
    for (const { data } of normalizer.getQueriesToUpdate(object as never)) set(data as never);
  };
  return {
    name: 'normy',
    ingest: set,
    readAll: () => touch(shown),
    mount(ids, list) {
      if (list === 'membership') return undefined;
      let runs = 0;
      const show = rowViews(ids, shown);
      listeners.push((rows) => (runs += show(rows) + Number(list === 'snapshot')));
      return () => runs;
    },
    // who watches a query is TanStack Query's, say
    subscribe: () => undefined,
    mountDerived() {
      let runs = 0;
      listeners.push((rows) => {
        openOf(rows).sort(byScore);
        figuresOf(openOf(rows));
        runs += 2;
      });
      return () => runs;
    },
    changeRow: (id, title) => change({ id, title }),
    changeScore: (id, score) => change({ id, score }),
    changeAuthor: (id, name) =>
      change({ ...normalizer.getObjectById<object & Row['author']>(`author ${id}`), name }),
    push: (row) => set([...shown, row]),
    move: (id) =>
      set([...shown.filter((row) => row.id === id), ...shown.filter((row) => row.id !== id)]),
    remove: (id) => set(shown.filter((row) => row.id !== id)),
    async optimistic(id, title, answer) {
      const before = shown.find((row) => row.id === id);
      change({ id, title });
      try {
        change(await answer);
      } catch (error) {
        change({ id, title: before?.title });
        throw error;
      }
    },
  };
}
