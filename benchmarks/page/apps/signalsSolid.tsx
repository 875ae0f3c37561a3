/** @jsxImportSource solid-js */
/** Signals by hand in Solid: a text follows the signal that it reads. */
import { batch, createSignal, untrack } from 'solid-js';
import { makeSignalStore } from './signalStore.ts';
import type { Box } from './signalStore.ts';
import { solidApp } from './solidApp.tsx';

function signal<T>(first: T): Box<T> {
  const [get, set] = createSignal(first);
  return {
    get value() {
      return get();
    },
    set value(next) {
      set(() => next);
    },
  };
}

const store = makeSignalStore({ signal, batch, untracked: untrack });

export const app = solidApp(
  'signals by hand, Solid',
  {
    Root: (props) => <>{props.children}</>,
    useIssues: (params) => () => store.list(params()).value,
    useSorted: (params) => () => store.sorted(params()).value,
    useIssue(id) {
      const box = store.issue(id());
      return () => box.value;
    },
  },
  store.verbs,
);
