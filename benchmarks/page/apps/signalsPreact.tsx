/** @jsxImportSource preact */
/** Signals by hand in Preact: a row runs when a signal that it reads changes. */
import { batch, signal, untracked } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { preactApp } from './preactApp.tsx';
import { makeSignalStore } from './signalStore.ts';

const store = makeSignalStore({ signal, batch, untracked });

export const app = preactApp(
  'signals by hand, Preact',
  {
    Root: ({ children }) => <>{children}</>,
    useIssues: (params) => store.list(params).value,
    useSorted: (params) => store.sorted(params).value,
    useIssue: (id) => useMemo(() => store.issue(id), [id]).value,
  },
  store.verbs,
);
