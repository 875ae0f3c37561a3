// Markup that a server drew before data arrived: hydrated unchanged, and then rendered with the data.
import { text } from 'node:stream/consumers';
import { act, Suspense } from 'react';
import type { ReactElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToPipeableStream } from 'react-dom/server';
import { Controller, Endpoint } from 'signalbox';
import { Provider, useCache, useDLE, useSuspense } from 'signalbox/react';
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
async function rendered(name: Name): Promise<string> {
  vi.stubGlobal('document', undefined);
  const controller = new Controller();
  const html = await new Promise<string>((resolve) => {
    const { pipe } = renderToPipeableStream(<App controller={controller} name={name} />, {
      onShellReady: () => resolve(text(pipe(serverDataTransform(controller)))),
    });
  });
  vi.unstubAllGlobals();
  return html;
}

test.each(['useCache', 'useDLE'] as const)(
  '[H5] %s hydrates with the markup of the server, and then renders data that arrived later',
  async (name) => {
    const html = await rendered(name);
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
    const errors: unknown[] = [];
    const onRecoverableError = (error: unknown) => errors.push(error);
    await act(async () => {
      hydrateRoot(root, <App controller={controller} name={name} />, { onRecoverableError });
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
    expect(errors).toEqual([]);
    expect(root.textContent).toBe('AdaAda Ada Ada');
    expect(asked).toBe(0);
  },
);
