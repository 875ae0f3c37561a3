/** @jsxImportSource react */
/** One todo: tick it, rename it, delete it. */
import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useController } from 'signalbox/react';
import { remove, rename, toggle } from '../todo/resources.ts';
import type { Todo } from '../todo/resources.ts';
import { initialsOf, quietly } from '../todo/words.ts';

/** How often the component that asks has run. */
function useRuns(): number {
  const [count] = useState({ runs: 0 });
  return ++count.runs;
}

export function Row({ todo }: { readonly todo: Todo }) {
  const controller = useController();
  const [editing, edit] = useState(false);
  const runs = useRuns();
  return (
    <li className="todo" data-id={todo.id} data-done={todo.done} data-runs={runs}>
      <input
        type="checkbox"
        aria-label={todo.title}
        checked={todo.done}
        onChange={() => quietly(toggle(controller, todo))}
      />
      {editing ? (
        <Title todo={todo} close={() => edit(false)} />
      ) : (
        <span className="title" onDoubleClick={() => edit(true)}>
          {todo.title}
        </span>
      )}
      <div className="tools">
        <button
          type="button"
          className="rename"
          aria-label={`Rename ${todo.title}`}
          onClick={() => edit(true)}
        />
        <button
          type="button"
          className="delete"
          aria-label={`Delete ${todo.title}`}
          onClick={() => quietly(remove(controller, todo))}
        />
      </div>
      <abbr title={todo.user?.name}>{initialsOf(todo.user?.name)}</abbr>
    </li>
  );
}

/** Enter and leaving the field save, Escape does not. */
function Title({ todo, close }: { readonly todo: Todo; readonly close: () => void }) {
  const controller = useController();
  const input = useRef<HTMLInputElement>(null);
  const given = useRef(false);
  const leave = (save: boolean) => {
    const title = input.current?.value.trim() ?? '';
    // a field that is taken away is left, too
    if (given.current) return;
    given.current = true;
    close();
    if (save && title !== '' && title !== todo.title) quietly(rename(controller, todo, title));
  };
  const press = ({ key, currentTarget }: KeyboardEvent) => {
    if (key !== 'Enter' && key !== 'Escape') return;
    const row = currentTarget.closest('li');
    leave(key === 'Enter');
    // whoever works with the keys stays in the row
    row?.querySelector<HTMLElement>('.rename')?.focus();
  };
  return (
    <input
      ref={input}
      className="title"
      aria-label={`New title of ${todo.title}`}
      defaultValue={todo.title}
      // eslint-disable-next-line jsx-a11y/no-autofocus -- who asked to edit wants to write
      autoFocus
      onFocus={({ target }) => target.select()}
      onBlur={() => leave(true)}
      onKeyDown={press}
    />
  );
}
