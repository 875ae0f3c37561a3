/** Signalbox in React with `<For>`: each row subscribes to its own entity. */
import type { ReactElement } from 'react';
import { Controller } from 'signalbox';
import { AsyncBoundary, For, Provider, useFetch, useQuery, useSuspense } from 'signalbox/react';
import { reactApp, rowBody } from './reactApp.tsx';
import type { RowsProps } from './reactApp.tsx';
import { getIssue, getList, sorted, verbs } from './signalbox.ts';

const controller = new Controller();

interface Listed extends RowsProps {
  readonly each: typeof getList | typeof sorted;
}

function Rows({ each, list, params, limit }: Listed): ReactElement {
  return (
    <For each={each} params={params} to={limit}>
      {(issue) => rowBody({ list, issue })}
    </For>
  );
}

function Sorted(props: RowsProps): ReactElement {
  void useFetch(getList, props.params);
  return <Rows each={sorted} {...props} />;
}

export const app = reactApp(
  'signalbox React <For>',
  {
    Root: ({ children }) => <Provider controller={controller}>{children}</Provider>,
    Boundary: AsyncBoundary,
    useIssues: (params) => useSuspense(getList, params),
    useSorted: (params) => useQuery(sorted, params),
    useIssue: (id) => useSuspense(getIssue, { id }),
    Rows: (props) => <Rows each={getList} {...props} />,
    Sorted,
  },
  verbs(controller),
  true,
);
