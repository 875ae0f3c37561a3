// A page of todos in React, connected with the other tabs.
import { createRoot } from 'react-dom/client';
import { Suspense } from 'react';
import type { ReactElement } from 'react';
import { Controller, createResource, Entity } from 'signalbox';
import { Provider, useController, useSuspense } from 'signalbox/react';
import { connectTabs } from 'signalbox/tabs';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}
const todos = createResource({ path: '/api/todos/:id', schema: Todo });

/** How often the list was rendered. */
export interface Counting {
  renders: number;
}
const counting: Counting = { renders: 0 };

function Todos(): ReactElement {
  counting.renders++;
  const controller = useController();
  const list = useSuspense(todos.getList);
  const rename = (id: number) =>
    controller.fetch(todos.partialUpdate, { id }, { title: 'renamed' });
  const add = () => controller.fetch(todos.getList.push, { title: 'added' });
  return (
    <>
      <ul>
        {list.map(({ id, title }) => (
          <li key={id}>
            <button onClick={() => void rename(id)}>{title}</button>
          </li>
        ))}
      </ul>
      <button onClick={() => void add()}>add</button>
      <button onClick={() => controller.invalidate(todos.getList)}>invalidate</button>
    </>
  );
}

const controller = new Controller();
connectTabs(controller, { names: { todos } });
createRoot(document.body.appendChild(document.createElement('main'))).render(
  <Provider controller={controller}>
    <Suspense fallback="waiting">
      <Todos />
    </Suspense>
  </Provider>,
);

Object.assign(globalThis, { counting });
