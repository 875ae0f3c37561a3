/** TanStack Query in React: each mutation writes its expected outcome into every stored list (the optimistic idiom). */
import {
  MutationObserver,
  QueryClient,
  QueryClientProvider,
  useQuery,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { byTitle, reactApp } from '../apps/reactApp.tsx';
import { memory } from '../memory.ts';
import { commented, moved, removed, renamed, unshifted } from './lists.js';

const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });

/** Lists, and the issues that are shown alone. */
function everywhere(change) {
  for (const [queryKey, data] of client.getQueriesData({})) {
    if (data === undefined) continue;
    const [what, params] = queryKey;
    const next = what === 'issues' ? change(data, params) : change([data], {})[0];
    client.setQueryData(queryKey, next ?? data);
  }
}

function mutation(send, expected) {
  const observer = new MutationObserver(client, {
    mutationFn: send,
    async onMutate(variables) {
      await client.cancelQueries();
      const before = client.getQueriesData({});
      everywhere(expected(variables));
      return before;
    },
    onError: (_error, _variables, before) => {
      for (const [queryKey, data] of before) client.setQueryData(queryKey, data);
    },
  });
  return (variables) => observer.mutate(variables);
}

const retitle = mutation(
  ({ id, title }) => memory.patch(id, { title }),
  ({ id, title }) =>
    (list) =>
      list.map((issue) => (issue.id === id ? { ...issue, title } : issue)),
);
const rename = mutation((user) => memory.rename(user.id, user.login), renamed);
const unshift = mutation((issue) => memory.create(issue), unshifted);
const remove = mutation((id) => memory.remove(id), removed);
const move = mutation((issue) => memory.patch(issue.id, { state: issue.state }), moved);

const list = (params) => ({ queryKey: ['issues', params], queryFn: () => memory.list(params) });

export const app = reactApp(
  'TanStack Query',
  {
    Root: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    useIssues: (params) => useQuery(list(params)).data,
    useSorted(params) {
      const { data } = useQuery(list(params));
      return useMemo(() => data && byTitle(data), [data]);
    },
    useIssue: (id) => useQuery({ queryKey: ['issue', id], queryFn: () => memory.issue(id) }).data,
  },
  {
    retitle: (id, title) => retitle({ id, title }),
    rename: (id, login) => rename({ id, login }),
    unshift: (issue) => unshift(issue),
    remove: ({ id }) => remove(id),
    move: (issue, state) => move({ ...issue, state }),
    receive: (id, comments) => everywhere(commented(id, comments)),
  },
);
