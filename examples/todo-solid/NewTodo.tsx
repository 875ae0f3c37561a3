/** @jsxImportSource solid-js */
/** The form that adds a todo: the row is there at once, the words come back if the server refuses it. */
import { createSignal, For } from 'solid-js';
import { useController, useLoading, useSuspense } from 'signalbox/solid';
import { add, UserResource } from '../todo/resources.ts';

export function NewTodo() {
  const controller = useController();
  const users = useSuspense(UserResource.getList);
  const [title, setTitle] = createSignal('');
  const [chosen, setChosen] = createSignal<number>();
  const userId = () => chosen() ?? users()[0]?.id ?? 0;
  const [save, saving] = useLoading((words: string) => add(controller, words, userId()));

  const submit = async (event: Event) => {
    event.preventDefault();
    const words = title().trim();
    if (words === '') return;
    setTitle('');
    if ((await save(words)) === undefined) setTitle((now) => now || words);
  };
  return (
    <form
      class="new"
      aria-label="New todo"
      aria-busy={saving()}
      onSubmit={(event) => void submit(event)}
    >
      <input
        aria-label="What is to be done"
        placeholder="What is to be done?"
        autocomplete="off"
        value={title()}
        onInput={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      <select
        aria-label="By whom"
        onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
      >
        <For each={users()}>
          {(user) => (
            <option value={user.id} selected={user.id === userId()}>
              {user.name}
            </option>
          )}
        </For>
      </select>
      <button type="submit">Add</button>
    </form>
  );
}
