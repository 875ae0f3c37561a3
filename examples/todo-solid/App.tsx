/** @jsxImportSource solid-js */
/** Todos in Solid: nothing here runs twice but the effects of the fields that changed. */
import { createSignal, For, onCleanup, Show as When, useTransition } from 'solid-js';
import type { Accessor } from 'solid-js';
import { Controller, optimistic } from 'signalbox';
import { AsyncBoundary, Provider, useController, useSuspense } from 'signalbox/solid';
import type { FallbackProps } from 'signalbox/solid';
import { shows, showOf, TodoResource } from '../todo/resources.ts';
import type { Show } from '../todo/resources.ts';
import { mocked, moods, server } from '../todo/server.ts';
import type { Mood } from '../todo/server.ts';
import { showPanel } from '../todo/showPanel.ts';
import { reasonOf } from '../todo/words.ts';
import { NewTodo } from './NewTodo.tsx';
import { Row } from './Row.tsx';
import { Tally } from './Tally.tsx';

// a refusal is told at once: here it is what is to be seen
const store = new Controller({ optimistic, retry: false });
void showPanel(store);

export function App() {
  const [show, pending] = useShow();
  return (
    <Provider controller={store}>
      <main>
        <header>
          <h1>Todos</h1>
          <p>signalbox and Solid</p>
        </header>
        <section class="card" aria-busy={pending()}>
          <AsyncBoundary fallback={<Waiting />} errorComponent={Failed}>
            <NewTodo />
            <AsyncBoundary fallback={<Waiting />} errorComponent={Failed}>
              <List show={show()} />
            </AsyncBoundary>
            <Tally show={show()} />
          </AsyncBoundary>
        </section>
        <Notice />
        <Moods />
      </main>
    </Provider>
  );
}

/** What the address asks for, and whether it is still to come: until then what is shown stays. */
function useShow(): [Accessor<Show>, Accessor<boolean>] {
  const [show, setShow] = createSignal(showOf(location.hash));
  const [pending, start] = useTransition();
  const follow = () => void start(() => setShow(showOf(location.hash)));
  addEventListener('hashchange', follow);
  onCleanup(() => removeEventListener('hashchange', follow));
  return [show, pending];
}

function List(props: { readonly show: Show }) {
  const todos = useSuspense(TodoResource.getList, () => shows[props.show].params);
  return (
    <>
      <ul class="todos" aria-label={`${shows[props.show].title} todos`}>
        <For each={todos()}>{(todo) => <Row todo={todo} />}</For>
      </ul>
      <p class="nothing">Nothing here.</p>
    </>
  );
}

function Waiting() {
  return (
    <div class="waiting" role="status" aria-label="Loading">
      <i />
      <i />
      <i />
    </div>
  );
}

function Failed(props: FallbackProps) {
  return (
    <div class="failed" role="alert">
      <p>The todos could not be loaded. {reasonOf(props.error)}</p>
      <button type="button" onClick={() => props.resetErrorBoundary()}>
        Try again
      </button>
    </div>
  );
}

/** Tells of changes that were refused, and so were taken back. */
function Notice() {
  const controller = useController();
  const [reason, tell] = createSignal('');
  onCleanup(controller.on('error', ({ read, error }) => read || tell(reasonOf(error))));
  onCleanup(controller.on('request', ({ read }) => read || tell('')));
  return (
    <div class="notice" role="alert">
      <When when={reason() !== ''}>
        <p>
          {reason()} Your change was taken back.
          <button type="button" class="delete" aria-label="Dismiss" onClick={() => tell('')} />
        </p>
      </When>
    </div>
  );
}

function Moods() {
  const [mood, setMood] = createSignal(server.mood);
  const choose = (next: Mood) => setMood((server.mood = next));
  return (
    <fieldset class="moods">
      <legend>{mocked ? 'The server in this page' : 'The server'}</legend>
      <For each={Object.keys(moods) as Mood[]}>
        {(name) => (
          <label>
            <input
              type="radio"
              name="mood"
              checked={mood() === name}
              onChange={() => choose(name)}
            />
            {moods[name]}
          </label>
        )}
      </For>
    </fieldset>
  );
}
