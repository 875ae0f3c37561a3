/** The issue tracker with signalbox: optimistic changes of rows, which all components read that show them. */
import { startTransition, useMemo } from 'react';
import { Controller, createResource, Entity, optimistic } from 'signalbox';
import {
  AsyncBoundary,
  Provider,
  useController,
  useIsFetching,
  useStatus,
  useSuspense,
  useSuspenseAll,
} from 'signalbox/react';
import type { Server } from './Server.ts';
import type { Library, State } from './Tracker.tsx';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}

class Issue extends Entity {
  id = 0;
  title = '';
  state: State = 'open';
  assignee: User = User.fromJS({});
  comments = 0;
  static override key = 'Issue';
  static override schema = { assignee: User };
}

class Comment extends Entity {
  id = 0;
  issue = 0;
  text = '';
  author: User = User.fromJS({});
  static override key = 'Comment';
  static override schema = { author: User };
}

const urlPrefix = 'http://tracker';
const searchParams: { page?: number; state?: State } = {};
const IssueResource = createResource({
  urlPrefix,
  path: '/issues/:id',
  schema: Issue,
  searchParams,
  optimistic: true,
});
const CommentResource = createResource({
  urlPrefix,
  path: '/comments/:id',
  schema: Comment,
  searchParams: {} as { issue: number },
});

export function signalbox(server: Server): Library {
  globalThis.fetch = async (url, init) => {
    const body = init?.body === undefined ? undefined : JSON.parse(String(init.body));
    return Response.json(await server.fetch(init?.method ?? 'GET', String(url), body));
  };
  const controller = new Controller({ optimistic });
  return {
    Root: ({ children }) => (
      <Provider controller={controller}>
        <AsyncBoundary fallback={<p>loading</p>}>{children}</AsyncBoundary>
      </Provider>
    ),
    Loading: ({ children }) => <AsyncBoundary fallback={<p>loading</p>}>{children}</AsyncBoundary>,
    Reading({ params: { page, state }, children }) {
      const params = state === undefined ? { page } : { page, state };
      const { isFetching } = useStatus(IssueResource.getList, params);
      return children(useSuspense(IssueResource.getList, params), isFetching);
    },
    ReadingState: ({ state, children }) => children(useSuspense(IssueResource.getList, { state })),
    ReadingIssue({ id, children }) {
      const [issue, comments] = useSuspenseAll([
        [IssueResource.get, { id }],
        [CommentResource.getList, { issue: id }],
      ]);
      return children(issue, comments);
    },
    useActions() {
      const actions = useController();
      return useMemo(() => {
        const count = (id: number, by: number) =>
          actions.set(Issue, { id }, ({ comments }: Issue) => ({ comments: comments + by }));
        return {
          change: ({ id }, changes) =>
            void actions.fetch(IssueResource.partialUpdate, { id }, changes),
          addComment({ id }, text) {
            void actions.fetch(CommentResource.getList.push, { issue: id }, { issue: id, text });
            void count(id, 1);
          },
          removeComment({ id, issue }) {
            void actions.fetch(CommentResource.delete, { id });
            void count(issue, -1);
          },
        };
      }, [actions]);
    },
    useFetching: () => useIsFetching(),
    useNavigation: () => startTransition,
  };
}
