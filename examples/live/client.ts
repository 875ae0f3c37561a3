/** What a page has to do with it: the resource, and one stream that writes what all others change. */
import { createResource, Delete, Entity } from 'signalbox';
import type { Controller } from 'signalbox';
import { connectEventSource } from 'signalbox/streams';
import type { EventSourceOptions, Stream } from 'signalbox/streams';

export class Todo extends Entity {
  id = 0;
  title = '';
  completed = false;
  /** The number of its last change. */
  version = 0;

  static override key = 'Todo';

  /** A response may come behind the message of a later change: the database has numbered both. */
  static override shouldUpdate(
    _was: unknown,
    _is: unknown,
    existing: Todo,
    incoming: Todo,
  ): boolean {
    return !(incoming.version < existing.version);
  }
}

interface Change {
  readonly kind: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly todo: Todo;
}

const deletion = new Delete(Todo);

// Each request may be sent again: a creation has a key, what is updated or deleted twice is as after the first time.
// The stream keeps what is read current: it expires only where changes were missed.
export const todosAt = (urlPrefix: string) =>
  createResource({
    urlPrefix,
    path: '/todos/:id',
    schema: Todo,
    retry: 20,
    dataExpiryLength: Infinity,
  });

/**
 * Keeps what `todos` holds as the database has it. A client that was away gets what it missed, from the number of the last
 * change that it has; one that was away for longer than changes are kept reads again what it shows.
 */
export function connectLive(
  controller: Controller,
  todos: ReturnType<typeof todosAt>,
  options: Pick<EventSourceOptions<Change>, 'EventSource' | 'backoff'> = {},
): Stream {
  const { urlPrefix } = todos.getList;
  const url = (last: string) => `${urlPrefix}/events${last === '' ? '' : `?lastEventId=${last}`}`;
  return connectEventSource<Change>(controller, url, {
    ...options,
    events: ['message', 'hello', 'missed'],
    receive({ kind, todo }, { type, set, expireAll }) {
      if (type === 'missed') for (const read of [todos.get, todos.getList]) expireAll(read);
      if (type !== 'message') return;
      const { id } = todo;
      if (kind === 'INSERT') set(todos.getList.push.schema, todo);
      else set(kind === 'UPDATE' ? Todo : deletion, { id }, todo);
    },
    // the server repeats what was missed
    catchUp: false,
  });
}
