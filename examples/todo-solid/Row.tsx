/** @jsxImportSource solid-js */
/** One todo: tick it, rename it, delete it. */
import { createSignal, onMount, Show } from 'solid-js';
import { useController } from 'signalbox/solid';
import { remove, rename, toggle } from '../todo/resources.ts';
import type { Todo } from '../todo/resources.ts';
import { initialsOf, quietly } from '../todo/words.ts';

interface RowProps {
  readonly todo: Todo;
}

export function Row(props: RowProps) {
  const controller = useController();
  const [editing, edit] = createSignal(false);
  return (
    <li class="todo" data-id={props.todo.id} data-done={props.todo.done}>
      <input
        type="checkbox"
        aria-label={props.todo.title}
        checked={props.todo.done}
        onChange={() => quietly(toggle(controller, props.todo))}
      />
      <Show
        when={editing()}
        fallback={
          <span class="title" onDblClick={() => edit(true)}>
            {props.todo.title}
          </span>
        }
      >
        <Title todo={props.todo} close={() => edit(false)} />
      </Show>
      <div class="tools">
        <button
          type="button"
          class="rename"
          aria-label={`Rename ${props.todo.title}`}
          onClick={() => edit(true)}
        />
        <button
          type="button"
          class="delete"
          aria-label={`Delete ${props.todo.title}`}
          onClick={() => quietly(remove(controller, props.todo))}
        />
      </div>
      <abbr title={props.todo.user?.name}>{initialsOf(props.todo.user?.name)}</abbr>
    </li>
  );
}

/** Enter and leaving the field save, Escape does not. */
function Title(props: RowProps & { readonly close: () => void }) {
  const controller = useController();
  let input: HTMLInputElement | undefined;
  let left = false;
  onMount(() => input?.select());
  const leave = (save: boolean) => {
    const { todo } = props;
    const title = input?.value.trim() ?? '';
    // a field that is taken away is left, too
    if (left) return;
    left = true;
    props.close();
    if (save && title !== '' && title !== todo.title) quietly(rename(controller, todo, title));
  };
  const press = ({ key, currentTarget }: KeyboardEvent & { readonly currentTarget: Element }) => {
    if (key !== 'Enter' && key !== 'Escape') return;
    const row = currentTarget.closest('li');
    leave(key === 'Enter');
    // whoever works with the keys stays in the row
    row?.querySelector<HTMLElement>('.rename')?.focus();
  };
  return (
    <input
      ref={(element) => (input = element)}
      class="title"
      aria-label={`New title of ${props.todo.title}`}
      value={props.todo.title}
      onBlur={() => leave(true)}
      onKeyDown={press}
    />
  );
}
