/** data-client in React: normalized, snapshots, rows memoized. This version has no `move`: both lists are asked again. */
import { __INTERNAL__, CacheProvider, Controller, useController, useDLE } from '@data-client/react';
import { createResource, Entity } from '@data-client/rest';
import { useLayoutEffect, useMemo } from 'react';
import { byTitle, reactApp } from '../apps/reactApp.tsx';
import { memory } from '../memory.ts';

class User extends Entity {
  id = 0;
  login = '';
  name = '';
  bio = '';
  followers = 0;
  since = '';
  pk() {
    return `${this.id}`;
  }
  static key = 'User';
}

class Issue extends Entity {
  id = 0;
  milestone = 0;
  title = '';
  body = '';
  state = 'open';
  pinned = false;
  comments = 0;
  labels = [];
  user = User.fromJS({});
  pk() {
    return `${this.id}`;
  }
  static key = 'Issue';
  static schema = { user: User };
}

const issues = createResource({ path: '/issues/:id', schema: Issue });
const users = createResource({ path: '/users/:id', schema: User });
const getList = issues.getList.extend({ fetch: (params) => memory.list(params) });
const getIssue = issues.get.extend({ fetch: ({ id }) => memory.issue(id) });
const patch = issues.partialUpdate.extend({ fetch: ({ id }, body) => memory.patch(id, body) });
const rename = users.partialUpdate.extend({
  fetch: ({ id }, { login }) => memory.rename(id, login),
});
const unshift = getList.unshift.extend({ fetch: (_, issue) => memory.create(issue) });
const remove = issues.delete.extend({ fetch: ({ id }) => memory.remove(id) });

// what React 19 no longer takes from `defaultProps`
const { initialState } = __INTERNAL__;
const defaults = { initialState, Controller, devButton: null };
const lent = {};

function Lend({ children }) {
  const controller = useController();
  useLayoutEffect(() => {
    lent.controller = controller;
  }, [controller]);
  return children;
}

export const app = reactApp(
  'data-client',
  {
    Root: ({ children }) => (
      <CacheProvider {...defaults}>
        <Lend>{children}</Lend>
      </CacheProvider>
    ),
    useIssues: (params) => useDLE(getList, params).data,
    useSorted(params) {
      const { data } = useDLE(getList, params);
      return useMemo(() => data && byTitle(data), [data]);
    },
    useIssue: (id) => useDLE(getIssue, { id }).data,
  },
  {
    retitle: (id, title) => lent.controller.fetch(patch, { id }, { title }),
    rename: (id, login) => lent.controller.fetch(rename, { id }, { login }),
    unshift: (issue) =>
      lent.controller.fetch(unshift, { milestone: issue.milestone, state: issue.state }, issue),
    remove: ({ id }) => lent.controller.fetch(remove, { id }),
    async move({ id, milestone }, state) {
      await lent.controller.fetch(patch, { id }, { state });
      memory.settle();
      const states = ['open', 'closed'];
      await Promise.all(
        states.map((state) => lent.controller.fetch(getList, { milestone, state })),
      );
    },
    receive: (id, comments) => void lent.controller.setResponse(getIssue, { id }, { id, comments }),
  },
);
