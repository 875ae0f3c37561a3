// Markup that a server drew before data arrived: hydrated unchanged, and then rendered with the data.
import { text } from 'node:stream/consumers';
import { act, Suspense } from 'react';
import type { ReactElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToPipeableStream } from 'react-dom/server';
import { All, Collection, Controller, Endpoint, Query } from 'signalbox';
import { Provider, useCache, useDLE, useQuery, useSuspense } from 'signalbox/react';
import { receiveServerData } from 'signalbox/ssr';
import { serverDataTransform } from 'signalbox/ssr/node';
import { expect, test, vi } from 'vitest';
import { User } from '../setup/samples.ts';
import { arrive } from '../ssr/page.ts';

let asked = 0;
const getUser = new Endpoint(
  async ({ id }: { id: number }) => {
    asked++;
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { id, name: 'Ada' };
  },
  { name: 'getUser', schema: User },
);

type Name = 'useCache' | 'useDLE';

function useName(hook: Name): string {
  const cached = useCache(getUser, { id: 1 });
  const { data } = useDLE(getUser, { id: 1 });
  return (hook === 'useCache' ? cached : data)?.name ?? 'Sign in';
}

interface MenuProps {
  readonly name: Name;
}

function Menu({ name }: MenuProps): ReactElement {
  return <b>{useName(name)}</b>;
}

/** Drawn twice: the first hook has no data at first. */
function Profile({ name }: MenuProps): ReactElement {
  const before = useName(name);
  const user = useSuspense(getUser, { id: 1 });
  return (
    <p>
      {`${before} ${user.name} `}
      <Menu name={name} />
    </p>
  );
}

interface AppProps {
  readonly controller: Controller;
  readonly name: Name;
}

function App({ controller, name }: AppProps): ReactElement {
  return (
    <Provider controller={controller}>
      <Menu name={name} />
      <Suspense fallback="…">
        <Profile name={name} />
      </Suspense>
    </Provider>
  );
}

/** As where there is no document. */
async function rendered(app: (controller: Controller) => ReactElement): Promise<string> {
  vi.stubGlobal('document', undefined);
  const controller = new Controller();
  const html = await new Promise<string>((resolve) => {
    const { pipe } = renderToPipeableStream(app(controller), {
      onShellReady: () => resolve(text(pipe(serverDataTransform(controller)))),
    });
  });
  vi.unstubAllGlobals();
  return html;
}

/** Hydrates the markup in `root`. Returns the errors that React recovered from. */
async function hydrated(root: HTMLElement, app: ReactElement): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  await act(async () => {
    hydrateRoot(root, app, { onRecoverableError: (error) => errors.push(error) });
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
  return errors;
}

test.each(['useCache', 'useDLE'] as const)(
  '[H5] %s hydrates with the markup of the server, and then renders data that arrived later',
  async (name) => {
    const html = await rendered((controller) => <App controller={controller} name={name} />);
    const root = document.body.appendChild(document.createElement('main'));
    // the scripts of the framework move late markup into place
    const [shell = '', late = ''] = html
      .replace(/<script[\s\S]*?<\/script>/g, '')
      .split('<div hidden');
    root.innerHTML = shell.replace(
      /<!--\$\?-->[\s\S]*?<!--\/\$-->/,
      () => `<!--$-->${late.replace(/^[^>]*>|<\/div>$/g, '')}<!--/$-->`,
    );
    expect(root.textContent).toBe('Sign inAda Ada Ada');
    const controller = arrive(html, new Controller());
    asked = 0;
    expect(await hydrated(root, <App controller={controller} name={name} />)).toEqual([]);
    expect(root.textContent).toBe('AdaAda Ada Ada');
    expect(asked).toBe(0);
  },
);

const getUsers = new Endpoint(
  () =>
    Promise.resolve([
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Bob' },
    ]),
  {
    name: 'getUsers',
    schema: new Collection([User]),
  },
);
const everyone = new Query(new All(User), (users) => users.map(({ name }) => name).join());

/** A value of a schema beside the list in which the server has found the rows. */
function Everyone(): ReactElement {
  const [first] = useSuspense(getUsers);
  return <b>{`${first?.name}: ${useQuery(everyone)}`}</b>;
}

test.each([
  ['useCache', () => <Menu name="useCache" />, 'Sign in', 'Eve'],
  ['useDLE', () => <Menu name="useDLE" />, 'Sign in', 'Eve'],
  ['useQuery', () => <Everyone />, 'Ada: Ada,Bob', 'Eve: Eve,Bob'],
] as const)(
  '[H5] %s hydrates with the markup of the server if the page has changed before, and then renders the change',
  async (_, content, markup, present) => {
    const app = (controller: Controller) => (
      <Provider controller={controller}>{content()}</Provider>
    );
    const html = await rendered(app);
    const root = document.body.appendChild(document.createElement('main'));
    root.innerHTML = html.replace(/<script[\s\S]*?<\/script>/g, '');
    expect(root.textContent).toBe(markup);
    const controller = arrive(html, new Controller());
    receiveServerData(controller);
    await controller.set(User, { id: 1 }, { name: 'Eve' });
    expect(await hydrated(root, app(controller))).toEqual([]);
    expect(root.textContent).toBe(present);
  },
);
