/** The definitions: shared by the server and the page. */
import { createResource, Entity, RestEndpoint } from 'signalbox';

export class User extends Entity {
  id = 0;
  name = '';
}

export class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  /** Not in lists: the page of a todo fetches it. */
  notes = '';
}

/** The page requests `/api/…`; on the server the same request goes straight to the API. Its key is the same. */
class ApiEndpoint extends RestEndpoint {
  override fetchResponse(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const isServer = typeof window === 'undefined';
    const url = isServer ? String(input).replace('/api', process.env.API_URL ?? '') : input;
    return super.fetchResponse(url, init);
  }
}

export const TodoResource = createResource({
  path: '/api/todos/:id',
  schema: Todo,
  Endpoint: ApiEndpoint,
});

export const UserResource = createResource({
  path: '/api/users/:id',
  schema: User,
  Endpoint: ApiEndpoint,
});
