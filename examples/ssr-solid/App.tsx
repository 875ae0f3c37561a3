/** @jsxImportSource solid-js */
/** The page in Solid: two lists, each in a boundary of its own; the second one is slow. */
import { createSignal, For, Suspense } from 'solid-js';
import { Provider, useIsFetching, useMutation, useStatus, useSuspense } from 'signalbox/solid';
import type { World } from '../ssr/world.ts';

interface PageProps {
  readonly world: World;
}

function Todos(props: PageProps) {
  const todos = useSuspense(props.world.resources.todos.getList);
  return (
    <ul id="todos" class="card">
      <For each={todos()}>{(todo) => <li title={todo.title}>{todo.title}</li>}</For>
    </ul>
  );
}

function Users(props: PageProps) {
  const users = useSuspense(props.world.resources.users.getList);
  const [clicks, click] = createSignal(0);
  const names = () => users().map(({ name }) => name);
  return (
    <p id="users" title={names()[0]}>
      <b>{names().join(', ')}</b>
      <button type="button" onClick={() => click(clicks() + 1)}>
        {clicks()} clicks
      </button>
    </p>
  );
}

/** Shows the state of requests: the initial state on the server and during hydration, then the current state. */
function Activity(props: PageProps) {
  const { users, todos } = props.world.resources;
  const status = useStatus(users.getList);
  const requests = useIsFetching();
  const saving = useMutation(todos.partialUpdate);
  return (
    <footer id="activity">
      <span>
        {requests()} requests, users {status.fetchedAt === undefined ? 'not fetched' : 'fetched'}
        {status.isFetching && ', refetching'}
        {status.error && ', failed'}
      </span>
      <button
        type="button"
        disabled={saving.isPending}
        onClick={() => saving.mutate({ id: 1 }, { done: true })}
      >
        {saving.isPending ? 'Saving' : 'Complete todo 1'}
      </button>
    </footer>
  );
}

export function App(props: PageProps) {
  return (
    <Provider controller={props.world.controller}>
      <main>
        <h1>Rendered on the server</h1>
        <Suspense fallback={<p>loading the todos</p>}>
          <Todos world={props.world} />
        </Suspense>
        <Suspense fallback={<p id="waiting">loading the users</p>}>
          <Users world={props.world} />
        </Suspense>
        <Activity world={props.world} />
      </main>
    </Provider>
  );
}
