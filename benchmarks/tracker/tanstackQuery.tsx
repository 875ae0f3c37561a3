/** The issue tracker with TanStack Query: optimistic changes of the cached issue, and invalidation of what may have changed. */
import {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  useIsFetching,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReactElement } from 'react';
import type { Server } from './Server.ts';
import type { Changes, Comment, Issue, Library, TableParams } from './Tracker.tsx';

export function tanstackQuery(server: Server): Library {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  const fetchTable = ({ page, state }: TableParams) =>
    server.fetch('GET', `/issues?page=${page}${state === undefined ? '' : `&state=${state}`}`);
  return {
    Root: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    Loading: ({ children }) => children as ReactElement,
    Reading({ params, children }) {
      const { data, isFetching } = useQuery({
        queryKey: ['issues', params],
        queryFn: () => fetchTable(params) as Promise<Issue[]>,
        placeholderData: keepPreviousData,
      });
      return data === undefined ? <p>loading</p> : children(data, isFetching);
    },
    ReadingState({ state, children }) {
      const { data } = useQuery({
        queryKey: ['issues', { board: state }],
        queryFn: () => server.fetch('GET', `/issues?state=${state}`) as Promise<Issue[]>,
      });
      return data === undefined ? <p>loading</p> : children(data);
    },
    ReadingIssue({ id, children }) {
      const issue = useQuery({
        queryKey: ['issue', id],
        queryFn: () => server.fetch('GET', `/issues/${id}`) as Promise<Issue>,
      });
      const comments = useQuery({
        queryKey: ['comments', id],
        queryFn: () => server.fetch('GET', `/comments?issue=${id}`) as Promise<Comment[]>,
      });
      if (issue.data === undefined || comments.data === undefined) return <p>loading</p>;
      return children(issue.data, comments.data);
    },
    useActions() {
      const queries = useQueryClient();
      const invalidate = (...names: string[]) =>
        Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })));
      const { mutate: change } = useMutation({
        mutationFn: ({ issue, changes }: { issue: Issue; changes: Changes }) =>
          server.fetch('PATCH', `/issues/${issue.id}`, changes),
        async onMutate({ issue, changes }) {
          await queries.cancelQueries({ queryKey: ['issues'] });
          const changed = (one: Issue) => (one.id === issue.id ? { ...one, ...changes } : one);
          queries.setQueryData(['issue', issue.id], (one?: Issue) => one && changed(one));
          queries.setQueriesData({ queryKey: ['issues'] }, (list?: Issue[]) => list?.map(changed));
        },
        onSettled: () => invalidate('issues', 'issue'),
      });
      const { mutate: add } = useMutation({
        mutationFn: (comment: { issue: number; text: string }) =>
          server.fetch('POST', '/comments', comment),
        onSettled: () => invalidate('comments', 'issue', 'issues'),
      });
      const { mutate: remove } = useMutation({
        mutationFn: ({ id }: Comment) => server.fetch('DELETE', `/comments/${id}`),
        onSettled: () => invalidate('comments', 'issue', 'issues'),
      });
      return useMemo(
        () => ({
          change: (issue, changes) => change({ issue, changes }),
          addComment: ({ id }, text) => add({ issue: id, text }),
          removeComment: (comment) => remove(comment),
        }),
        [change, add, remove],
      );
    },
    useFetching: () => useIsFetching(),
    useNavigation: () => (navigate) => navigate(),
  };
}
