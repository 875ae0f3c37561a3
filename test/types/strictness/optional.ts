/** A body and search params that may be undefined are optional arguments, whichever way an endpoint is made. */
import { createResource, Entity, RestEndpoint } from 'signalbox';
import * as dataClient from 'signalbox/data-client';

class Todo extends Entity {
  id = 0;
  title = '';
}
const schema = Todo;
const body = {} as { reason: string } | undefined;
const searchParams = {} as { page: number } | undefined;

const lock = new RestEndpoint({ path: '/todos/:id/lock', method: 'PUT', body });
const lockAll = new RestEndpoint({ path: '/lock', method: 'PUT', body });
const list = new RestEndpoint({ path: '/todos', schema: [Todo], searchParams });
const sent = list.extend({ method: 'POST', body });
const Todos = createResource({ path: '/todos/:id', schema, searchParams, body });
const { lock: lockOne } = Todos.extend('lock', { path: '/todos/:id/lock', method: 'POST', body });
const { lock: lockIt } = Todos.extend({ lock: { path: '/todos/:id/lock', method: 'POST', body } });
const peer = new dataClient.RestEndpoint({ path: '/lock', method: 'PUT', body });
const Peers = dataClient.resource({ path: '/todos/:id', schema: dataClient.Entity, searchParams });

export const calls = (): unknown[] => [
  lock({ id: 1 }),
  lock({ id: 1 }, { reason: '' }),
  lockAll(),
  lockAll({ reason: '' }),
  list(),
  list({ page: 1 }),
  sent(),
  Todos.getList(),
  Todos.create(),
  Todos.update({ id: 1 }),
  lockOne({ id: 1 }),
  lockIt({ id: 1 }),
  peer(),
  Peers.getList(),
];
