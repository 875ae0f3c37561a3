import { index, route, type RouteConfig } from '@react-router/dev/routes';

export default [
  index('routes/todos.tsx'),
  route('todos/:id', 'routes/todo.tsx'),
  route('api/*', 'routes/api.ts'),
] satisfies RouteConfig;
