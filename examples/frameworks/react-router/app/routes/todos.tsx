import { Suspense, useState } from 'react';
import type { LoaderFunctionArgs } from 'react-router';
import { useController, useSuspense } from 'signalbox/react';
import { controllerContext, pageController } from '../controller';
import { PrefetchLink } from '../PrefetchLink';
import { TodoResource, UserResource } from '../resources';

/** Both requests are under way before anything is rendered. */
export function loader({ context }: LoaderFunctionArgs) {
  const controller = context.get(controllerContext);
  controller.prefetch(TodoResource.getList);
  controller.prefetch(UserResource.getList);
  return null;
}

/** The same in the browser: a request only where the page does not know the data yet. */
export function clientLoader() {
  pageController.prefetch(TodoResource.getList);
  pageController.prefetch(UserResource.getList);
  return null;
}

function Todos() {
  const todos = useSuspense(TodoResource.getList);
  const controller = useController();
  return (
    <ul id="todos">
      {todos.map(({ id, title }) => (
        <li key={id}>
          <PrefetchLink
            to={`/todos/${id}`}
            prefetchData={() => controller.prefetch(TodoResource.get, { id })}
          >
            {title}
          </PrefetchLink>
        </li>
      ))}
    </ul>
  );
}

function Users() {
  const users = useSuspense(UserResource.getList);
  const [clicks, setClicks] = useState(0);
  return (
    <p>
      <span id="users">{users.map(({ name }) => name).join(', ')}</span>
      <button type="button" id="clicks" onClick={() => setClicks(clicks + 1)}>
        {clicks} clicks
      </button>
    </p>
  );
}

export default function Page() {
  return (
    <main>
      <Suspense fallback={<p>Loading todos</p>}>
        <Todos />
      </Suspense>
      <Suspense fallback={<p>Loading users</p>}>
        <Users />
      </Suspense>
    </main>
  );
}
