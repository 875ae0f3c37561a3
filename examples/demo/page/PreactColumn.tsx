/** @jsxImportSource preact */
/** The Preact column: rows are live objects; a component re-renders when a field that it reads changes. */
import { render } from 'preact';
import { Suspense } from 'preact/compat';
import { useState } from 'preact/hooks';
import { Provider, useSuspense } from 'signalbox/preact';
import type { Todo } from '../resources.ts';
import { pull } from './frame.ts';
import { toggle } from './levers.ts';
import { moveNumber, ran } from './tally.ts';
import { controller, todos } from './world.ts';

/** The number of renders of the calling component. */
function useRuns(what: 'list' | 'row'): number {
  const [count] = useState(() => ({ runs: 0 }));
  count.runs++;
  ran('preact', what);
  return count.runs;
}

function Row({ todo }: { readonly todo: Todo }) {
  const runs = useRuns('row');
  return (
    <li
      class="row"
      data-todo={todo.id}
      data-done={todo.done || undefined}
      data-beat={runs % 2}
      data-move={moveNumber}
    >
      <span class="lamp" />
      <button
        type="button"
        class="tick"
        aria-label="done"
        aria-pressed={todo.done}
        onClick={() =>
          void pull({
            title: 'Toggle in Preact',
            says: 're-renders 1 row',
            act: () => toggle(todo.id, todo.done),
          })
        }
      >
        ✓
      </button>
      <span class="title">{todo.title}</span>
      <span class="author">{todo.author?.name.split(' ')[0]}</span>
      <span class="runs">{runs}</span>
    </li>
  );
}

function List() {
  const rows = useSuspense(todos.getList);
  const runs = useRuns('list');
  return (
    <>
      <div class="list-head" data-beat={runs % 2} data-move={moveNumber}>
        <span class="lamp" />
        <span class="title">the list</span>
        <span class="runs">{runs}</span>
      </div>
      <ul class="rows">
        {rows.map((todo) => (
          <Row key={todo.id} todo={todo} />
        ))}
      </ul>
    </>
  );
}

export function mountPreact(place: HTMLElement): void {
  render(
    <Provider controller={controller}>
      <Suspense fallback={<p class="waiting">loading the list</p>}>
        <List />
      </Suspense>
    </Provider>,
    place,
  );
}
