/** The tasks and their queue. The page and the service worker use the same names, and so the same log. */
import { createResource, Entity } from 'signalbox';
import type { Controller } from 'signalbox';
import { offline } from 'signalbox/offline';
import type { Offline } from 'signalbox/offline';

export class Task extends Entity {
  id = 0;
  title = '';
}

export const TaskResource = createResource({
  urlPrefix: '/api',
  path: '/tasks/:id',
  schema: Task,
  optimistic: true,
});

/** The tag of the sync events. */
export const tag = 'send-edits';

export function openQueue(controller: Controller): Offline {
  return offline(controller, { names: { task: TaskResource } });
}
