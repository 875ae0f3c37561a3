/** React with its own state: lists in a reducer, changed rows are copied, rows are memoized. */
import { createContext, useContext, useEffect, useLayoutEffect, useMemo, useReducer } from 'react';
import type { Dispatch, ReactNode } from 'react';
import { memory } from '../memory.ts';
import type { App, Issue, ListParams } from '../App.ts';
import { byTitle, reactApp } from './reactApp.tsx';

interface Shown {
  readonly lists: Readonly<Record<string, readonly Issue[]>>;
  readonly details: Readonly<Record<number, Issue>>;
}

type Change = (before: Shown) => Shown;

const Context = createContext<Shown>({ lists: {}, details: {} });
const lent: { dispatch: Dispatch<Change> } = { dispatch: () => {} };

function Root({ children }: { readonly children: ReactNode }): ReactNode {
  const [shown, change] = useReducer((before: Shown, change: Change) => change(before), {
    lists: {},
    details: {},
  });
  useLayoutEffect(() => {
    lent.dispatch = change;
  }, [change]);
  return <Context value={shown}>{children}</Context>;
}

function useIssues(params: ListParams): readonly Issue[] | undefined {
  const key = JSON.stringify(params);
  const { lists } = useContext(Context);
  useEffect(() => {
    let left = false;
    const asked = JSON.parse(key) as ListParams;
    void memory.list(asked).then((list) => {
      if (!left)
        lent.dispatch((before) => ({ ...before, lists: { ...before.lists, [key]: list } }));
    });
    return () => {
      left = true;
    };
  }, [key]);
  return lists[key];
}

function useIssue(id: number): Issue | undefined {
  const { details } = useContext(Context);
  useEffect(() => {
    void memory.issue(id).then((issue) => {
      lent.dispatch((before) => ({ ...before, details: { ...before.details, [id]: issue } }));
    });
  }, [id]);
  return details[id];
}

/** Changes each list and each issue that is shown alone. */
function everywhere(
  inList: (list: readonly Issue[], params: ListParams) => readonly Issue[],
): void {
  lent.dispatch(({ lists, details }) => {
    const changed = Object.entries(lists).map(([key, list]) => [
      key,
      inList(list, JSON.parse(key) as ListParams),
    ]);
    const alone = Object.entries(details).map(([id, issue]) => [
      id,
      inList([issue], {
        milestone: issue.milestone,
      })[0],
    ]);
    return { lists: Object.fromEntries(changed), details: Object.fromEntries(alone) };
  });
}

function replace(change: (issue: Issue) => Issue): void {
  everywhere((list) => list.map(change));
}

const verbs: Omit<App, 'name' | 'show'> = {
  async retitle(id, title) {
    const answer = await memory.patch(id, { title });
    replace((issue) => (issue.id === id ? answer : issue));
  },
  async rename(user, login) {
    const answer = await memory.rename(user, login);
    replace((issue) => (issue.user.id === user ? { ...issue, user: answer } : issue));
  },
  async unshift(issue) {
    const made = await memory.create(issue);
    everywhere((list, { state }) => (state === made.state ? [made, ...list] : list));
  },
  async remove({ id }) {
    await memory.remove(id);
    everywhere((list) => list.filter((issue) => issue.id !== id));
  },
  async move({ id }, to) {
    const moved = await memory.patch(id, { state: to });
    everywhere((list, { state }) => {
      const others = list.filter((issue) => issue.id !== id);
      return state === moved.state ? [...others, moved] : others;
    });
  },
  receive: (id, comments) => replace((issue) => (issue.id === id ? { ...issue, comments } : issue)),
};

export const app = reactApp(
  'plain React',
  {
    Root,
    useIssues,
    useIssue,
    useSorted(params) {
      const issues = useIssues(params);
      return useMemo(() => issues && byTitle(issues), [issues]);
    },
  },
  verbs,
);
