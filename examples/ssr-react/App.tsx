/** @jsxImportSource react */
/** The page in React: two lists, each in a boundary of its own; the second one is slow. */
import { Suspense, useState } from 'react';
import { For, Provider, useIsFetching, useMutation, useStatus, useSuspense } from 'signalbox/react';
import type { World } from '../ssr/world.ts';

interface PageProps {
  readonly world: World;
}

function Todos({ world: { resources } }: PageProps) {
  return (
    <ul id="todos" className="card">
      <For each={resources.todos.getList}>{(todo) => <li title={todo.title}>{todo.title}</li>}</For>
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

/** The whole document, so that the first byte is on its way before any answer is there. */
export function App({ world }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>signalbox</title>
        <link rel="stylesheet" href="/app.css" />
      </head>
      <body>
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
      </body>
    </html>
  );
}
