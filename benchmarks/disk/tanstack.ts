/** TanStack Query with the persister that its documentation shows for IndexedDB, over idb-keyval. */
import { QueryClient } from '@tanstack/query-core';
import {
  persistQueryClientRestore,
  persistQueryClientSave,
} from '@tanstack/query-persist-client-core';
import type { PersistedClient, Persister } from '@tanstack/query-persist-client-core';
import { del, get, set } from 'idb-keyval';
import { bytesOf, costOf } from './rows.ts';
import type { Kept, Row } from './rows.ts';

const persister: Persister = {
  persistClient: (client: PersistedClient) => set('reactQuery', client),
  restoreClient: () => get<PersistedClient>('reactQuery'),
  removeClient: () => del('reactQuery'),
};
const queryClient = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } }) as never;
const client = queryClient as QueryClient;
const save = () => persistQueryClientSave({ queryClient, persister });
const rowsIn = () => client.getQueryData<Row[]>(['todos']) ?? [];

export const library: Kept = {
  store: (rows) => costOf(async () => client.setQueryData(['todos'], rows)),
  async save(rows) {
    client.setQueryData(['todos'], rows);
    return costOf(save);
  },
  start: () => costOf(() => persistQueryClientRestore({ queryClient, persister })),
  readOne: () => costOf(async () => rowsIn().find(({ id }) => id === 40_000)?.title),
  readAll: () => costOf(async () => rowsIn().length),
  change: () =>
    bytesOf(async () => {
      const title = 'changed';
      client.setQueryData(
        ['todos'],
        rowsIn().map((row) => (row.id === 25_000 ? { ...row, title } : row)),
      );
      await save();
    }),
  refetch: (rows) =>
    bytesOf(async () => {
      client.setQueryData(['todos'], rows);
      await save();
    }),
};
