/** @jsxImportSource solid-js */
/** Signalbox in Solid: live data, each text follows its own field. */
import { Controller } from 'signalbox';
import { Provider, useDLE, useFetch, useQuery } from 'signalbox/solid';
import { getIssue, getList, sorted, verbs } from './signalbox.ts';
import { solidApp } from './solidApp.tsx';

const controller = new Controller();

export const app = solidApp(
  'signalbox Solid',
  {
    Root: (props) => <Provider controller={controller}>{props.children}</Provider>,
    useIssues(params) {
      const list = useDLE(getList, params);
      return () => list.data;
    },
    useSorted(params) {
      void useFetch(getList, params);
      return useQuery(sorted, params);
    },
    useIssue(id) {
      const issue = useDLE(getIssue, () => ({ id: id() }));
      return () => issue.data;
    },
  },
  verbs(controller),
);
