/** @jsxImportSource preact */
/** The page in Preact: two lists, each in a boundary of its own; the second one is slow. */
import { Suspense } from 'preact/compat';
import { useState } from 'preact/hooks';
import { Provider, useIsFetching, useMutation, useStatus, useSuspense } from 'signalbox/preact';
import type { World } from '../ssr/world.ts';

interface PageProps {
  readonly world: World;
}

function Todos({ world: { resources } }: PageProps) {
  const todos = useSuspense(resources.todos.getList);
  return (
    <ul id="todos" class="card">
      {todos.map((todo) => (
        <li key={todo.id} title={todo.title}>
          {todo.title}
        </li>
      ))}
    </ul>
  );
}

function Users({ world: { resources } }: PageProps) {
  const users = useSuspense(resources.users.getList);
  const [clicks, click] = useState(0);
  return (
    <p id="users" title={users[0]?.name}>
      <b>{users.map(({ name }) => name).join(', ')}</b>
      <button type="button" onClick={() => click(clicks + 1)}>
        {clicks} clicks
      </button>
    </p>
  );
}

/** Shows the state of requests: the initial state on the server and during hydration, then the current state. */
function Activity({ world: { resources } }: PageProps) {
  const { isFetching, fetchedAt, error } = useStatus(resources.users.getList);
  const requests = useIsFetching();
  const { isPending, mutate } = useMutation(resources.todos.partialUpdate);
  return (
    <footer id="activity">
      <span>
        {requests} requests, users {fetchedAt === undefined ? 'not fetched' : 'fetched'}
        {isFetching && ', refetching'}
        {error && ', failed'}
      </span>
      <button type="button" disabled={isPending} onClick={() => mutate({ id: 1 }, { done: true })}>
        {isPending ? 'Saving' : 'Complete todo 1'}
      </button>
    </footer>
  );
}

export function App({ world }: PageProps) {
  return (
    <Provider controller={world.controller}>
      <main>
        <h1>Rendered on the server</h1>
        <Suspense fallback={<p>loading the todos</p>}>
          <Todos world={world} />
        </Suspense>
        <Suspense fallback={<p id="waiting">loading the users</p>}>
          <Users world={world} />
        </Suspense>
        <Activity world={world} />
      </main>
    </Provider>
  );
}
