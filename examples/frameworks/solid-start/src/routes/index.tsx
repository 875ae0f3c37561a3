import { A } from '@solidjs/router';
import { createSignal, For, Suspense } from 'solid-js';
import { useController, useSuspense } from 'signalbox/solid';
import { TodoResource, UserResource } from '../resources';

function Users() {
  const users = useSuspense(UserResource.getList);
  return (
    <p id="users">
      {users()
        ?.map(({ name }) => name)
        .join(', ')}
    </p>
  );
}

export default function Todos() {
  const todos = useSuspense(TodoResource.getList);
  const controller = useController();
  const [clicks, setClicks] = createSignal(0);
  return (
    <main>
      <ul id="todos">
        <For each={todos()}>
          {(todo) => (
            <li>
              <A
                href={`/todos/${todo.id}`}
                onMouseEnter={() => controller.prefetch(TodoResource.get, { id: todo.id })}
              >
                {todo.title}
              </A>
            </li>
          )}
        </For>
      </ul>
      <Suspense fallback={<p>Loading users</p>}>
        <Users />
      </Suspense>
      <button type="button" id="clicks" onClick={() => setClicks(clicks() + 1)}>
        {clicks()} clicks
      </button>
    </main>
  );
}
