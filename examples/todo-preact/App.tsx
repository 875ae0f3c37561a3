/** @jsxImportSource preact */
/** Todos in Preact: data are live, a component runs when a field that it has read changes. */
import { useEffect, useState } from 'preact/hooks';
import { Controller, optimistic } from 'signalbox';
import { AsyncBoundary, Provider, useController, useSuspense } from 'signalbox/preact';
import type { FallbackProps } from 'signalbox/preact';
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
  const show = useShow();
  return (
    <Provider controller={store}>
      <main>
        <header>
          <h1>Todos</h1>
          <p>signalbox and Preact</p>
        </header>
        <section class="card">
          <AsyncBoundary fallback={<Waiting />} errorComponent={Failed}>
            <NewTodo />
            <AsyncBoundary fallback={<Waiting />} errorComponent={Failed}>
              <List show={show} />
            </AsyncBoundary>
            <Tally show={show} />
          </AsyncBoundary>
        </section>
        <Notice />
        <Moods />
      </main>
    </Provider>
  );
}

/** What the address asks for. */
function useShow(): Show {
  const [show, setShow] = useState(() => showOf(location.hash));
  useEffect(() => {
    const follow = () => setShow(showOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return show;
}

function List({ show }: { readonly show: Show }) {
  const todos = useSuspense(TodoResource.getList, shows[show].params);
  return (
    <>
      <ul class="todos" aria-label={`${shows[show].title} todos`}>
        {todos.map((todo) => (
          <Row key={todo.id} todo={todo} />
        ))}
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

function Failed({ error, resetErrorBoundary }: FallbackProps) {
  return (
    <div class="failed" role="alert">
      <p>The todos could not be loaded. {reasonOf(error)}</p>
      <button type="button" onClick={resetErrorBoundary}>
        Try again
      </button>
    </div>
  );
}

/** Tells of changes that were refused, and so were taken back. */
function Notice() {
  const controller = useController();
  const [reason, tell] = useState('');
  useEffect(() => {
    const stops = [
      controller.on('error', ({ read, error }) => read || tell(reasonOf(error))),
      controller.on('request', ({ read }) => read || tell('')),
    ];
    return () => stops.forEach((stop) => stop());
  }, [controller]);
  return (
    <div class="notice" role="alert">
      {reason !== '' && (
        <p>
          {reason} Your change was taken back.
          <button type="button" class="delete" aria-label="Dismiss" onClick={() => tell('')} />
        </p>
      )}
    </div>
  );
}

function Moods() {
  const [mood, setMood] = useState(server.mood);
  const choose = (next: Mood) => setMood((server.mood = next));
  return (
    <fieldset class="moods">
      <legend>{mocked ? 'The server in this page' : 'The server'}</legend>
      {(Object.keys(moods) as Mood[]).map((name) => (
        <label key={name}>
          <input type="radio" name="mood" checked={mood === name} onChange={() => choose(name)} />
          {moods[name]}
        </label>
      ))}
    </fieldset>
  );
}
