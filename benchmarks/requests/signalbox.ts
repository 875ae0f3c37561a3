/** The issue tracker on Signalbox: resources as they come, without a call that invalidates. */
import { Controller, createResource, Entity, type EndpointInterface } from 'signalbox';
import type { App, Shown, State } from './session.ts';

class User extends Entity {
  static override key = 'User';
  id = 0;
  login = '';
}

class Issue extends Entity {
  static override key = 'Issue';
  static override schema = { author: User };
  id = 0;
  title = '';
  state: State = 'open';
  author: User | null = null;
}

class Comment extends Entity {
  static override key = 'Comment';
  id = 0;
  issueId = 0;
  text = '';
}

const urlPrefix = 'http://server';
const issues = createResource({ urlPrefix, path: '/issues/:id', schema: Issue });
const comments = createResource({ urlPrefix, path: '/comments/:id', schema: Comment });
const users = createResource({ urlPrefix, path: '/users/:id', schema: User });

function callOf([what, value]: Shown): [EndpointInterface, object] {
  if (what === 'issues') return [issues.getList, { state: value }];
  if (what === 'comments') return [comments.getList, { issueId: value }];
  return [what === 'user' ? users.get : issues.get, { id: value }];
}

export function createApp(): App {
  const controller = new Controller();
  return {
    show(what) {
      const reader = controller.view(...callOf(what));
      void reader.ensure(true);
      const release = reader.retain();
      reader.revalidate();
      return release;
    },
    dataOf: (what) => controller.getResponse(...callOf(what)).data,
    rename: (id, title) => controller.fetch(issues.partialUpdate, { id }, { title }),
    setState: (id, state) => controller.fetch(issues.partialUpdate, { id }, { state }),
    create: (title) => controller.fetch(issues.create, { title, state: 'open' }),
    remove: (id) => controller.fetch(issues.delete, { id }),
    comment: (issueId, text) => controller.fetch(comments.create, { issueId, text }),
    renameUser: (id, login) => controller.fetch(users.partialUpdate, { id }, { login }),
  };
}
