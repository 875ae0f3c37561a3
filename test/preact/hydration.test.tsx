/** @jsxImportSource preact */
// A page that a server has rendered, and components that mount after the hydration.
import { hydrate } from 'preact';
import { Suspense } from 'preact/compat';
import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { renderToStringAsync } from 'preact-render-to-string';
import { Controller, Endpoint } from 'signalbox';
import { Provider, useDLE, useQuery, useSuspense } from 'signalbox/preact';
import { serverDataScript } from 'signalbox/ssr';
import { afterEach, expect, test, vi } from 'vitest';
import { User } from '../setup/samples.ts';
import { arrive } from '../ssr/page.ts';

afterEach(() => document.body.replaceChildren());

const getUser = new Endpoint(
  ({ id }: { readonly id: number }) => Promise.resolve({ id, name: 'old' }),
  { name: 'getUser', schema: User },
);
const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

const readers = {
  useSuspense: () => useSuspense(getUser, { id: 1 }).name,
  useQuery: () => useQuery(getUser, { id: 1 }).value.data?.name,
  useDLE: () => useDLE(getUser, { id: 1 }).data?.name,
};
type Name = keyof typeof readers;

/** A form is filled in with the name of the first render. */
function Form({ name }: { readonly name: Name }): JSX.Element {
  const present = readers[name]();
  const [initial] = useState(present);
  return <li>{`${present} ${initial}`}</li>;
}

const press = { open: (): void => {} };

function App({ controller, name }: { controller: Controller; name: Name }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  press.open = () => setOpen(true);
  return (
    <Provider controller={controller}>
      <Suspense fallback="…">
        <First />
        {isOpen && <Form name={name} />}
      </Suspense>
    </Provider>
  );
}

const First = (): JSX.Element => <b>{useSuspense(getUser, { id: 1 }).name}</b>;

test.each(Object.keys(readers) as Name[])(
  '[H5] %s of a component that mounts after the hydration renders the present data at once',
  async (name) => {
    vi.stubGlobal('document', undefined);
    const server = new Controller();
    const markup = await renderToStringAsync(<App controller={server} name={name} />);
    const script = serverDataScript(server);
    vi.unstubAllGlobals();
    const root = document.body.appendChild(document.createElement('main'));
    root.innerHTML = markup;
    const controller = arrive(script, new Controller());
    hydrate(<App controller={controller} name={name} />, root);
    await quiet();
    await controller.set(User, { id: 1 }, { name: 'new' });
    press.open();
    await Promise.resolve();
    await quiet();
    expect(root.textContent).toBe('newnew new');
  },
);
