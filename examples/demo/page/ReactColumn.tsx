/** @jsxImportSource react */
/** The React column: `For` subscribes the list to its membership, and each row to its own todo. */
import { memo, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { For, Provider } from 'signalbox/react';
import type { Todo } from '../resources.ts';
import { pull } from './frame.ts';
import { toggle } from './levers.ts';
import { moveNumber, ran } from './tally.ts';
import { controller, todos } from './world.ts';

/** The number of renders of the calling component. */
function useRuns(what: 'list' | 'row'): number {
  const [count] = useState(() => ({ runs: 0 }));
  count.runs++;
  ran('react', what);
  return count.runs;
}

/** Memoized: a row whose position changes is not rendered again. */
const Row = memo(function Row({ todo }: { readonly todo: Todo }) {
  const runs = useRuns('row');
  return (
    <li
      className="row"
      data-todo={todo.id}
      data-done={todo.done || undefined}
      data-beat={runs % 2}
      data-move={moveNumber}
    >
      <span className="lamp" />
      <button
        type="button"
        className="tick"
        aria-label="done"
        aria-pressed={todo.done}
        onClick={() =>
          void pull({
            title: 'Toggle in React',
            says: 're-renders 1 row',
            act: () => toggle(todo.id, todo.done),
          })
        }
      >
        ✓
      </button>
      <span className="title">{todo.title}</span>
      <span className="author">{todo.author?.name.split(' ')[0]}</span>
      <span className="runs">{runs}</span>
    </li>
  );
});

/** `<For>`, called in place: this component runs when the list does, and can count it. */
const useRows = For;
const drawRow = (todo: Todo) => <Row todo={todo} />;

function List() {
  const runs = useRuns('list');
  const rows = useRows({ each: todos.getList, children: drawRow });
  return (
    <>
      <div className="list-head" data-beat={runs % 2} data-move={moveNumber}>
        <span className="lamp" />
        <span className="title">the list</span>
        <span className="runs">{runs}</span>
      </div>
      <ul className="rows">{rows}</ul>
    </>
  );
}

export function mountReact(place: HTMLElement): void {
  createRoot(place).render(
    <Provider controller={controller}>
      <Suspense fallback={<p className="waiting">loading the list</p>}>
        <List />
      </Suspense>
    </Provider>,
  );
}
