/** Signalbox in React with `<For>`: each row subscribes to its own entity. */
import { Controller } from 'signalbox';
import { For, Provider, useSuspense } from 'signalbox/react';
import { reactApp, RowBody } from './reactApp.tsx';
import { getIssue, getList, sorted, verbs } from './signalbox.ts';

const controller = new Controller();
const getSorted = getList.extend({ schema: sorted, name: 'sorted' });

export const app = reactApp(
  'signalbox React <For>',
  {
    Root: ({ children }) => <Provider controller={controller}>{children}</Provider>,
    useIssues: (params) => useSuspense(getList, params),
    useSorted: (params) => useSuspense(getSorted, params),
    useIssue: (id) => useSuspense(getIssue, { id }),
    Rows: ({ list, params, sorted }) => (
      <For each={sorted ? getSorted : getList} params={params}>
        {(issue) => <RowBody list={list} issue={issue} />}
      </For>
    ),
  },
  verbs(controller),
  true,
);
