/** The data of TanStack Query as a script of the page, and the browser's side. */
import { compileFunction } from 'node:vm';
import { hydrate, QueryClient } from '@tanstack/query-core';
import { fetchRows } from '../Page.ts';
import type { Page, Row } from '../Page.ts';

export const query = { queryKey: ['issues'], queryFn: fetchRows };

/** The options of the queries: what the server has rendered is not fetched again at once. */
export const config = { defaultOptions: { queries: { staleTime: 60_000 } } };

const isData = (script: string) => script.startsWith('window.__data=');

/** A script with JSON in which no text ends the script. */
export function dataCode(state: object): string {
  return `window.__data=${JSON.stringify(state).replace(/</g, '\\u003c')}`;
}

/** A page that is rendered in this way, with a script of `dataCode`. */
export function pageOf(render: Page['render']): Page {
  return {
    render,
    isData,
    async receive(scripts) {
      const window: { __data?: Parameters<typeof hydrate>[1] } = {};
      for (const script of scripts.filter(isData)) compileFunction(script, ['window'])(window);
      const client = new QueryClient(config);
      hydrate(client, window.__data ?? {});
      return client.getQueryData(query.queryKey) as readonly Row[];
    },
  };
}
