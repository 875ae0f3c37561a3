/** Loaders fetch what their page reads; a pointer over a link runs the loader of its page. */
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Link,
  Outlet,
} from '@tanstack/react-router';
import { Controller } from 'signalbox';
import { useSuspense } from 'signalbox/react';
import { TodoResource } from './resources';

export const controller = new Controller();

const rootRoute = createRootRouteWithContext<{ controller: Controller }>()({ component: Outlet });

const todosRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  loader: ({ context }) => context.controller.fetchIfStale(TodoResource.getList),
  component: function Todos() {
    const todos = useSuspense(TodoResource.getList);
    return (
      <ul id="todos">
        {todos.map(({ id, title }) => (
          <li key={id}>
            <Link to="/todos/$id" params={{ id: String(id) }}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
    );
  },
});

const todoRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/todos/$id',
  loader: ({ context, params: { id } }) =>
    context.controller.fetchIfStale(TodoResource.get, { id }),
  component: function TodoPage() {
    const { id } = todoRoute.useParams();
    const { title, notes } = useSuspense(TodoResource.get, { id });
    return (
      <main id="todo">
        <h1>{title}</h1>
        <p>{notes}</p>
        <Link to="/">all todos</Link>
      </main>
    );
  },
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([todosRoute, todoRoute]),
  context: { controller },
  defaultPreload: 'intent',
  // the controller knows what is fresh: each preload and each navigation runs the loader
  defaultPreloadStaleTime: 0,
  defaultStaleTime: 0,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
