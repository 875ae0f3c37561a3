/** Signalbox in React with snapshots: lists and rows as with any library of immutable data. */
import { Controller } from 'signalbox';
import { Provider, useDLE, useFetch, useQuery } from 'signalbox/react';
import { reactApp } from './reactApp.tsx';
import { getIssue, getList, sorted, verbs } from './signalbox.ts';

const controller = new Controller();

export const app = reactApp(
  'signalbox React',
  {
    Root: ({ children }) => <Provider controller={controller}>{children}</Provider>,
    useIssues: (params) => useDLE(getList, params).data,
    useSorted(params) {
      void useFetch(getList, params);
      return useQuery(sorted, params);
    },
    useIssue: (id) => useDLE(getIssue, { id }).data,
  },
  verbs(controller),
);
