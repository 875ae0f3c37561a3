// A todo list in the style of Data Client's guides: a resource, a query, and managers of its own.
import type { ChangeEvent, FormEvent } from 'react';
import {
  actionTypes,
  AsyncBoundary,
  DataProvider,
  Entity,
  getDefaultManagers,
  LogoutManager,
  Query,
  resource,
  useController,
  useDLE,
  useLoading,
  useQuery,
  useSuspense,
} from 'signalbox/data-client';
import type { Manager, Middleware } from 'signalbox/data-client';

export class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  completed = false;

  static override key = 'Todo';
}

export const TodoResource = resource({
  urlPrefix: 'http://api.test',
  path: '/todos/:id',
  searchParams: {} as { userId?: string | number } | undefined,
  schema: Todo,
  optimistic: true,
});

const queryRemaining = new Query(
  TodoResource.getList.schema,
  (entries) => entries.filter((todo) => todo && !todo.completed).length,
);

export class LoggingManager implements Manager {
  log: string[] = [];

  middleware: Middleware = (controller) => (next) => async (action) => {
    this.log.push(`before ${action.type}`);
    await next(action);
    const { Todo: rows = {} } = controller.getState().entities;
    this.log.push(`after ${action.type}: ${Object.keys(rows).length}`);
  };

  cleanup() {
    this.log.push('cleanup');
  }
}

export class StreamManager implements Manager {
  subscribed: string[] = [];
  started = 0;

  middleware: Middleware = (controller) => {
    this.push = (todo) => controller.set(Todo, { id: todo.id }, todo);
    return (next) => async (action) => {
      switch (action.type) {
        case actionTypes.SUBSCRIBE:
        case actionTypes.UNSUBSCRIBE:
          if ('channel' in action.endpoint) {
            this.subscribed.push(`${action.type} ${action.endpoint.channel} ${action.args[0].id}`);
            return Promise.resolve();
          }
          break;
      }
      return next(action);
    };
  };

  push: (todo: Partial<Todo>) => Promise<void> = async () => {};

  init() {
    this.started++;
  }

  cleanup() {}
}

function TodoItem({ todo }: { todo: Todo }) {
  const ctrl = useController();
  const handleChange = (e: ChangeEvent<HTMLInputElement>) =>
    ctrl.fetch(TodoResource.partialUpdate, { id: todo.id }, { completed: e.currentTarget.checked });
  const handleDelete = () => ctrl.fetch(TodoResource.delete, { id: todo.id });
  return (
    <li>
      <label>
        <input type="checkbox" checked={todo.completed} onChange={handleChange} />
        {todo.title}
      </label>
      <button onClick={handleDelete}>delete {todo.title}</button>
    </li>
  );
}

function NewTodo({ userId }: { userId: number }) {
  const ctrl = useController();
  const [handleSubmit, loading, error] = useLoading(
    async (e: FormEvent<HTMLFormElement>) => {
      e.preventDefault();
      const title = new FormData(e.currentTarget).get('title') as string;
      await ctrl.fetch(TodoResource.getList.push, { userId, title });
    },
    [ctrl, userId],
  );
  return (
    <form onSubmit={handleSubmit} aria-label="new">
      <input name="title" defaultValue="tea" />
      <output>{loading ? 'saving' : error ? error.message : ''}</output>
    </form>
  );
}

function Stats({ userId }: { userId: number }) {
  const remaining = useQuery(queryRemaining, { userId });
  return <p>{remaining} tasks remaining</p>;
}

function TodoList({ userId }: { userId: number }) {
  const todos = useSuspense(TodoResource.getList, { userId });
  return (
    <div>
      <Stats userId={userId} />
      <ul>
        {todos.map((todo) => (
          <TodoItem key={todo.pk()} todo={todo} />
        ))}
      </ul>
      <NewTodo userId={userId} />
    </div>
  );
}

export const getSettings = TodoResource.get.extend({
  path: '/settings',
  schema: { results: [Todo], link: '' },
});

function Settings() {
  const { data, loading } = useDLE(getSettings);
  if (loading) return <p>settings: {JSON.stringify(data)}</p>;
  return <p>settings: {data.results?.length}</p>;
}

function Failed({ error }: { error: Error & { status?: number } }) {
  return <p>failed {error.status}</p>;
}

export interface AppProps {
  readonly managers?: Manager[];
  readonly onLogout?: () => void;
}

export function App({ managers = [], onLogout = () => {} }: AppProps) {
  const all = [
    new LogoutManager({
      handleLogout(controller) {
        onLogout();
        void controller.resetEntireStore();
      },
    }),
    ...managers,
    ...getDefaultManagers(),
  ];
  return (
    <DataProvider managers={all} devButton={null}>
      <AsyncBoundary fallback={<p>loading</p>} errorComponent={Failed}>
        <TodoList userId={1} />
      </AsyncBoundary>
      <Settings />
    </DataProvider>
  );
}
