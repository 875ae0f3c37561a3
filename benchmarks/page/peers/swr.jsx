/** SWR in React: each mutation writes its answer into every stored list, without asking again. */
import { SWRConfig, useSWRConfig } from 'swr';
import useSWR from 'swr';
import { useLayoutEffect, useMemo } from 'react';
import { byTitle, reactApp } from '../apps/reactApp.tsx';
import { memory } from '../memory.ts';
import { commented, moved, removed, renamed, retitled, unshifted } from './lists.js';

const options = { provider: () => new Map(), revalidateOnFocus: false, dedupingInterval: 0 };
const lent = {};

function Lend({ children }) {
  const config = useSWRConfig();
  useLayoutEffect(() => {
    lent.config = config;
  }, [config]);
  return children;
}

function everywhere(change) {
  // a function as key is asked about each stored key
  return Promise.all([
    lent.config.mutate(
      (key) => key?.[0] === 'issue',
      (issue) => issue && (change([issue], {})[0] ?? issue),
      { revalidate: false },
    ),
    ...lists().map((key) =>
      lent.config.mutate(key, (list) => list && change(list, key[1]), { revalidate: false }),
    ),
  ]);
}

function lists() {
  return [...lent.config.cache.keys()]
    .map((key) => lent.config.cache.get(key)?._k)
    .filter((key) => key?.[0] === 'issues');
}

const fetcher = ([what, asked]) => (what === 'issues' ? memory.list(asked) : memory.issue(asked));

export const app = reactApp(
  'SWR',
  {
    Root: ({ children }) => (
      <SWRConfig value={options}>
        <Lend>{children}</Lend>
      </SWRConfig>
    ),
    useIssues: (params) => useSWR(['issues', params], fetcher).data,
    useSorted(params) {
      const { data } = useSWR(['issues', params], fetcher);
      return useMemo(() => data && byTitle(data), [data]);
    },
    useIssue: (id) => useSWR(['issue', id], fetcher).data,
  },
  {
    retitle: async (id, title) => everywhere(retitled(await memory.patch(id, { title }))),
    rename: async (id, login) => everywhere(renamed(await memory.rename(id, login))),
    unshift: async (issue) => everywhere(unshifted(await memory.create(issue))),
    remove: async ({ id }) => everywhere(removed((await memory.remove(id)).id)),
    move: async (issue, state) => everywhere(moved(await memory.patch(issue.id, { state }))),
    receive: (id, comments) => void everywhere(commented(id, comments)),
  },
);
