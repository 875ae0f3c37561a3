/** Signals by hand in React: a row runs when a signal that it reads changes, by @preact/signals-react. */
import { batch, signal, untracked } from '@preact/signals-react';
import { useSignals } from '@preact/signals-react/runtime';
import { memo, useMemo } from 'react';
import { cardBody, reactApp, rowBody } from './reactApp.tsx';
import type { CardProps, RowProps } from './reactApp.tsx';
import { makeSignalStore } from './signalStore.ts';
import type { Box } from './signalStore.ts';

const store = makeSignalStore({ signal, batch, untracked });

function useBox<T>(box: Box<T>): T {
  useSignals();
  return box.value;
}

const UserCard = memo(function UserCard(props: CardProps) {
  useSignals();
  return cardBody(props);
});

export const app = reactApp(
  'signals by hand, React',
  {
    Root: ({ children }) => children,
    useIssues: (params) => useBox(store.list(params)),
    useSorted: (params) => useBox(store.sorted(params)),
    useIssue(id) {
      const box = useMemo(() => store.issue(id), [id]);
      return useBox(box);
    },
    Row: memo(function Row(props: RowProps) {
      useSignals();
      return rowBody({ ...props, UserCard });
    }),
  },
  store.verbs,
);
