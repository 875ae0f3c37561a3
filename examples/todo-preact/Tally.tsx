/** @jsxImportSource preact */
/** The foot of the list: how many are left, which are shown, and what can be done to all. */
import { useController, useFetch, useLoading, useQuery } from 'signalbox/preact';
import { clearDone, shows, tally, TodoResource, toggleAll } from '../todo/resources.ts';
import type { Show } from '../todo/resources.ts';
import { leftOf } from '../todo/words.ts';

export function Tally({ show }: { readonly show: Show }) {
  const controller = useController();
  // what is counted is all of them, whatever is shown
  void useFetch(TodoResource.getList, shows.all.params);
  const { all = 0, done = 0 } = useQuery(tally).value.data ?? {};
  const [change, changing] = useLoading((act: () => Promise<unknown>) => act());
  return (
    <footer aria-busy={changing}>
      <label class="all">
        <input
          type="checkbox"
          aria-label="Tick all"
          checked={all > 0 && all === done}
          disabled={all === 0}
          onChange={() => void change(() => toggleAll(controller, done < all))}
        />
        <output>{leftOf(all, done)}</output>
      </label>
      <nav aria-label="Which todos">
        {Object.entries(shows).map(([name, { title }]) => (
          <a key={name} href={`#/${name}`} aria-current={name === show ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <button
        type="button"
        disabled={done === 0}
        onClick={() => void change(() => clearDone(controller))}
      >
        Clear done
      </button>
    </footer>
  );
}
