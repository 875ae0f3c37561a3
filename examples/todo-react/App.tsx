/** @jsxImportSource react */
/** Todos in React: `<For>` subscribes the list to its membership, and each row to its own todo. */
import { useEffect, useState, useTransition } from 'react';
import { Controller, optimistic } from 'signalbox';
import { AsyncBoundary, For, Provider, useController } from 'signalbox/react';
import type { FallbackProps } from 'signalbox/react';
import { shows, showOf, TodoResource } from '../todo/resources.ts';
import type { Show, Todo } from '../todo/resources.ts';
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
          <p>signalbox and React</p>
        </header>
        <section className="card" aria-busy={pending}>
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

/** What the address asks for, and whether it is still to come: until then what is shown stays. */
function useShow(): [Show, boolean] {
  const [show, setShow] = useState(() => showOf(location.hash));
  const [pending, start] = useTransition();
  useEffect(() => {
    const follow = () => start(() => setShow(showOf(location.hash)));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return [show, pending];
}

const drawRow = (todo: Todo) => <Row todo={todo} />;

function List({ show }: { readonly show: Show }) {
  return (
    <>
      <ul className="todos" aria-label={`${shows[show].title} todos`}>
        <For each={TodoResource.getList} params={shows[show].params}>
          {drawRow}
        </For>
      </ul>
      <p className="nothing">Nothing here.</p>
    </>
  );
}

function Waiting() {
  return (
    <div className="waiting" role="status" aria-label="Loading">
      <i />
      <i />
      <i />
    </div>
  );
}

function Failed({ error, resetErrorBoundary }: FallbackProps) {
  return (
    <div className="failed" role="alert">
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
    <div className="notice" role="alert">
      {reason !== '' && (
        <p>
          {reason} Your change was taken back.
          <button type="button" className="delete" aria-label="Dismiss" onClick={() => tell('')} />
        </p>
      )}
    </div>
  );
}

function Moods() {
  const [mood, setMood] = useState(server.mood);
  const choose = (next: Mood) => setMood((server.mood = next));
  return (
    <fieldset className="moods">
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
