/** The entities and resources of the server, for the steps in the terminal and the three columns of the page. */
import { createResource, Entity, RestEndpoint } from 'signalbox';

export class User extends Entity {
  id = 0;
  name = '';

  static override key = 'User';
}

/** A todo as json-server sends it: with `_expand=user` the author is nested, otherwise only `userId`. */
interface TodoAnswer {
  readonly user?: object;
  readonly userId?: number;
}

export class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
  author: User | null = null;

  static override key = 'Todo';
  static override schema = { author: User };

  /** Both become the same author: an object is stored, a primary key is looked up. */
  static override process({ user, userId, ...todo }: TodoAnswer): object {
    return { ...todo, author: user ?? userId };
  }
}

/** One request and its response. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** 0: no response. */
  readonly status: number;
  readonly ms: number;
}

export type Resources = ReturnType<typeof makeResources>;

/**
 * The resources of a server; `log` is told of each request when it has been answered. `origin` stands before addresses
 * on the wire, and not in the identity of a request: where the page is rendered, `/api` alone leads nowhere.
 */
export function makeResources(urlPrefix: string, log: (exchange: Exchange) => void, origin = '') {
  /** The one place where requests leave is a method: override it, and every member of a resource follows. */
  class LoggedEndpoint extends RestEndpoint {
    override async fetchResponse(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      const started = performance.now();
      let status = 0;
      try {
        const response = await super.fetchResponse(origin + String(input), init);
        ({ status } = response);
        return response;
      } catch (error) {
        status = (error as { response?: Response }).response?.status ?? 0;
        throw error;
      } finally {
        const path = String(input).slice(urlPrefix.length);
        log({ method: this.method, path, status, ms: performance.now() - started });
      }
    }
  }

  const common = { urlPrefix, Endpoint: LoggedEndpoint };
  const users = createResource({ path: '/users/:id', schema: User, ...common });
  const todos = createResource({ path: '/todos/:id', schema: Todo, ...common });
  return {
    users,
    // the list comes with its authors inside
    todos: todos.extend('getList', { path: '/todos?_expand=user' }),
  };
}
