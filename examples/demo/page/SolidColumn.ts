/** The Solid column: components run once; the effects of a changed field run again. */
import { createRenderEffect, createSignal, For, Suspense, untrack, type JSX } from 'solid-js';
import h from 'solid-js/h';
import { render } from 'solid-js/web';
import { Provider, useSuspense } from 'signalbox/solid';
import type { Todo } from '../resources.ts';
import { pull } from './frame.ts';
import { toggle } from './levers.ts';
import { moveNumber, ran } from './tally.ts';
import { controller, todos } from './world.ts';

/** What `h` describes, made now: its effects belong to the view that calls this. */
function make(...description: Parameters<typeof h>): Element {
  return (h(...description) as () => Element)();
}

/**
 * Counts the effects of one view. Their first runs draw it, and count as one.
 * `effect(read)` gives what `read` gives, and counts each time it is asked again.
 */
function countRuns(what: 'list' | 'row') {
  const [runs, setRuns] = createSignal(1);
  ran('solid', what);
  const effect = <T>(read: () => T): (() => T) => {
    let first = true;
    return () => {
      if (!first) {
        ran('solid', what);
        setRuns((n) => n + 1);
      }
      first = false;
      return read();
    };
  };
  return { runs, effect };
}

function Row(todo: Todo): Element {
  const { runs, effect } = countRuns('row');
  const act = () => toggle(todo.id, todo.done);
  const done = effect(() => todo.done);
  const row = make(
    'li.row',
    { 'data-todo': untrack(() => todo.id) },
    h('span.lamp'),
    h(
      'button.tick',
      {
        type: 'button',
        'aria-label': 'done',
        'aria-pressed': () => String(todo.done),
        onClick: () => void pull({ title: 'Toggle in Solid', says: 're-renders 1 row', act }),
      },
      '✓',
    ),
    h(
      'span.title',
      effect(() => todo.title),
    ),
    h(
      'span.author',
      effect(() => todo.author?.name.split(' ')[0]),
    ),
    h('span.runs', runs),
  );
  createRenderEffect(() => row.toggleAttribute('data-done', done()));
  createRenderEffect(() => {
    row.setAttribute('data-beat', String(runs() % 2));
    row.setAttribute('data-move', String(moveNumber));
  });
  return row;
}

function List(): Element {
  const { runs, effect } = countRuns('list');
  const rows = useSuspense(todos.getList);
  const each = effect(() => rows());
  return make(
    'div',
    h(
      'div.list-head',
      { 'data-beat': () => runs() % 2, 'data-move': () => runs() && moveNumber },
      h('span.lamp'),
      h('span.title', 'the list'),
      h('span.runs', runs),
    ),
    h('ul.rows', h(For, { each }, Row)),
  );
}

export function mountSolid(place: HTMLElement): void {
  const waiting = make('p.waiting', 'loading the list') as JSX.Element;
  const column = h(Provider, { controller }, h(Suspense, { fallback: waiting }, h(List)));
  render(column, place);
}
