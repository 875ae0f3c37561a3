import { useController, useSuspense } from 'signalbox/react';
import { TodoResource } from '../resources';
import { Island, type IslandProps } from './Island';

function List() {
  const todos = useSuspense(TodoResource.getList);
  const controller = useController();
  return (
    <ul id="todos">
      {todos.map(({ id, title }) => (
        <li key={id}>
          <button type="button" onClick={() => controller.fetch(TodoResource.delete, { id })}>
            {title}
          </button>
        </li>
      ))}
    </ul>
  );
}

export const Todos = (props: IslandProps) => (
  <Island {...props}>
    <List />
  </Island>
);
