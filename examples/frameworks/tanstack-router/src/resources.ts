/** The definitions of the API. */
import { createResource, Entity } from 'signalbox';

export class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  /** Not in lists: the page of a todo fetches it. */
  notes = '';
}

export const TodoResource = createResource({ path: '/api/todos/:id', schema: Todo });
