import { Suspense } from 'preact/compat';
import { useState } from 'preact/hooks';
import type { Controller } from 'signalbox';
import { Provider, useSuspense } from 'signalbox/preact';
import { TodoResource } from './resources';

function Todos() {
  const todos = useSuspense(TodoResource.getList);
  return (
    <ul id="todos">
      {todos.map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  );
}

function Counter() {
  const [clicks, setClicks] = useState(0);
  return (
    <button type="button" id="clicks" onClick={() => setClicks(clicks + 1)}>
      {clicks} clicks
    </button>
  );
}

export function App({ controller }: { controller: Controller }) {
  return (
    <Provider controller={controller}>
      <Suspense fallback={<p>Loading todos</p>}>
        <Todos />
      </Suspense>
      <Counter />
    </Provider>
  );
}
