/** @jsxImportSource preact */
/** Signalbox in Preact: live data, a row runs when a field that it reads changes. */
import { Controller } from 'signalbox';
import { Provider, useDLE, useFetch, useQuery } from 'signalbox/preact';
import { preactApp } from './preactApp.tsx';
import { getIssue, getList, sorted, verbs } from './signalbox.ts';

const controller = new Controller();

export const app = preactApp(
  'signalbox Preact',
  {
    Root: ({ children }) => <Provider controller={controller}>{children}</Provider>,
    useIssues: (params) => useDLE(getList, params).data,
    useSorted(params) {
      void useFetch(getList, params);
      return useQuery(sorted, params).value.data;
    },
    useIssue: (id) => useDLE(getIssue, { id }).data,
  },
  verbs(controller),
);
