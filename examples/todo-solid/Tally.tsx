/** @jsxImportSource solid-js */
/** The foot of the list: how many are left, which are shown, and what can be done to all. */
import { For } from 'solid-js';
import { useController, useFetch, useLoading, useQuery } from 'signalbox/solid';
import { clearDone, shows, tally, TodoResource, toggleAll } from '../todo/resources.ts';
import type { Show } from '../todo/resources.ts';
import { leftOf } from '../todo/words.ts';

export function Tally(props: { readonly show: Show }) {
  const controller = useController();
  // what is counted is all of them, whatever is shown
  useFetch(TodoResource.getList, () => shows.all.params);
  const counted = useQuery(tally);
  const all = () => counted()?.all ?? 0;
  const done = () => counted()?.done ?? 0;
  const [change, changing] = useLoading((act: () => Promise<unknown>) => act());
  return (
    <footer aria-busy={changing()}>
      <label class="all">
        <input
          type="checkbox"
          aria-label="Tick all"
          checked={all() > 0 && all() === done()}
          disabled={all() === 0}
          onChange={() => void change(() => toggleAll(controller, done() < all()))}
        />
        <output>{leftOf(all(), done())}</output>
      </label>
      <nav aria-label="Which todos">
        <For each={Object.entries(shows)}>
          {([name, { title }]) => (
            <a href={`#/${name}`} aria-current={name === props.show ? 'page' : undefined}>
              {title}
            </a>
          )}
        </For>
      </nav>
      <button
        type="button"
        disabled={done() === 0}
        onClick={() => void change(() => clearDone(controller))}
      >
        Clear done
      </button>
    </footer>
  );
}
