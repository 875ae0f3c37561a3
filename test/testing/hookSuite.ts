// renderDataHook, MockResolver and MockProvider in every framework.
import { createResource, Entity } from 'signalbox';
import { fakeClock } from 'signalbox/testing';
import type { Fixture } from 'signalbox/testing';
import type { RenderDataHook } from 'signalbox/testing/react';
import { afterEach, expect, test, vi } from 'vitest';

export class Todo extends Entity {
  id = 0;
  title = '';
}

export const TodoResource: ReturnType<typeof todoResource> = todoResource();

function todoResource() {
  return createResource({ urlPrefix: 'http://api.test', path: '/todos/:id', schema: Todo });
}

interface Props {
  readonly id: number;
}

/** The functions of a framework for the suite. */
export interface Driver<Wrapper> {
  readonly renderDataHook: RenderDataHook<Wrapper>;
  readonly makeRenderDataHook: () => RenderDataHook<Wrapper>;
  /** A hook that reads a todo. If the hook returns an accessor, `shown` reads the value. */
  readonly useTodo: (props: Props) => unknown;
  readonly shown: (current: unknown) => Todo | undefined;
  /** The error of the hook, in each framework's place. */
  readonly failure: (result: { current: unknown; error: Error | undefined }) => Error | undefined;
  readonly MockResolver: (props: {
    fixtures: readonly Fixture[];
    silenceMissing?: boolean;
  }) => Wrapper;
  readonly MockProvider: (props: { fixtures: readonly Fixture[] }) => Wrapper;
}

interface Rows {
  readonly rows: Map<number, string>;
}

/** An invented server: the fixtures' functions share the rows. */
const server: readonly Fixture<Rows>[] = [
  {
    endpoint: TodoResource.get,
    response({ id }: Props) {
      return { id, title: this.rows.get(id) };
    },
  },
  {
    endpoint: TodoResource.partialUpdate,
    response({ id }: Props, { title }: { title: string }) {
      this.rows.set(id, title);
      return { id, title };
    },
  },
];
const getInitialInterceptorData = (): Rows => ({
  rows: new Map([
    [1, 'one'],
    [2, 'two'],
  ]),
});

export function hookSuite<Wrapper>(driver: Driver<Wrapper>): void {
  const { renderDataHook, useTodo, shown, failure } = driver;
  afterEach(() => renderDataHook.cleanup());
  const initialProps = { id: 1 };
  const titleIn = ({ result }: { result: { current: unknown } }) => shown(result.current)?.title;

  test('[T1] renderDataHook returns the data of initialFixtures in the first render', () => {
    const args = [{ id: 1 }];
    const initialFixtures = [{ endpoint: TodoResource.get, args, response: { id: 1, title: 'a' } }];
    expect(titleIn(renderDataHook(useTodo, { initialProps, initialFixtures }))).toBe('a');
  });

  test('[T1] renderDataHook waits for resolverFixtures, whose functions share their data', async () => {
    const options = { initialProps, resolverFixtures: server, getInitialInterceptorData };
    const hook = renderDataHook(useTodo, options);
    await hook.waitFor(() => expect(titleIn(hook)).toBe('one'));
    await hook.controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'uno' });
    await hook.allSettled();
    expect(titleIn(hook)).toBe('uno');
    hook.controller.invalidate(TodoResource.get, { id: 1 });
    await renderDataHook.allSettled();
    expect(titleIn(hook)).toBe('uno');
  });

  test('[T1] rerender of renderDataHook calls the hook with other props', async () => {
    const options = { initialProps, resolverFixtures: server, getInitialInterceptorData };
    const hook = renderDataHook(useTodo, options);
    await hook.allSettled();
    expect(titleIn(hook)).toBe('one');
    hook.rerender({ id: 2 });
    await hook.waitFor(() => shown(hook.result.current)?.title === 'two');
    expect(hook.result.error).toBeUndefined();
  });

  test('[T1] renderDataHook returns the error of the hook, and a rerender after the error expired shows the data', async () => {
    const clock = fakeClock();
    let error: Error | undefined = Object.assign(new Error('gone'), { status: 410 });
    const fixture = {
      endpoint: TodoResource.get,
      get error() {
        return error;
      },
      response: { id: 1, title: 'back' },
    };
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => {});
    const options = { initialProps, resolverFixtures: [fixture], clock };
    const hook = renderDataHook(useTodo, options);
    await hook.waitFor(() => expect(failure(hook.result)).toBe(error));
    quiet.mockRestore();
    error = undefined;
    clock.advance(60_000);
    hook.controller.expireErrors();
    hook.rerender({ ...initialProps });
    await hook.controller.fetch(TodoResource.get, { id: 1 });
    await hook.waitFor(() => expect(titleIn(hook)).toBe('back'));
  });

  test('[T1] waitFor rejects with the last failure', async () => {
    const never = [{ endpoint: TodoResource.get, delay: 60_000 }];
    const hook = renderDataHook(useTodo, { initialProps, resolverFixtures: never });
    let tries = 0;
    const trying = hook.waitFor(() => Promise.reject(new Error(`try ${++tries}`)), { timeout: 30 });
    await expect(trying).rejects.toThrow(/^try \d+$/);
    expect(tries).toBeGreaterThan(1);
  });

  test('[T1] cleanup unmounts the hook and aborts its requests', async () => {
    const delayed = [{ endpoint: TodoResource.get, response: { id: 1 }, delay: 60_000 }];
    const hook = renderDataHook(useTodo, { initialProps, resolverFixtures: delayed });
    const waiting = hook.controller.fetch(TodoResource.get, { id: 1 });
    waiting.catch(() => {});
    renderDataHook.cleanup();
    await expect(waiting).rejects.toMatchObject({ code: 'F3' });
    expect(document.body.children).toHaveLength(0);
  });

  test('[T1] makeRenderDataHook takes a custom provider', async () => {
    const render = driver.makeRenderDataHook();
    const hook = render(useTodo, {
      initialProps,
      resolverFixtures: server,
      getInitialInterceptorData,
    });
    await hook.waitFor(() => expect(titleIn(hook)).toBe('one'));
    render.cleanup();
  });

  test('[T1] MockResolver responds to requests of its children', async () => {
    const response = { id: 1, title: 'mocked' };
    const wrapper = driver.MockResolver({ fixtures: [{ endpoint: TodoResource.get, response }] });
    const hook = renderDataHook(useTodo, { initialProps, wrapper });
    await hook.waitFor(() => expect(titleIn(hook)).toBe('mocked'));
  });

  test.each([true, false])(
    '[T1] MockResolver sends requests without a matching fixture, with silenceMissing %s',
    async (silenceMissing) => {
      const body = new Blob(['{"id":3,"title":"sent"}'], { type: 'application/json' });
      const network = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(body));
      const said = vi.spyOn(console, 'warn').mockImplementation(() => {});
      const wrapper = driver.MockResolver({ fixtures: [], silenceMissing });
      const hook = renderDataHook(useTodo, { initialProps: { id: 3 }, wrapper });
      await hook.waitFor(() => expect(titleIn(hook)).toBe('sent'));
      expect(network).toHaveBeenCalledTimes(1);
      const missing = said.mock.calls.filter(([text]) => String(text).includes('signalbox T1'));
      expect(missing).toHaveLength(silenceMissing ? 0 : 1);
    },
  );

  test('[T1] MockProvider provides its fixtures in the first render', async () => {
    const wrapper = driver.MockProvider({
      fixtures: [
        { endpoint: TodoResource.get, args: [{ id: 1 }], response: { id: 1, title: 'set' } },
      ],
    });
    expect(titleIn(renderDataHook(useTodo, { initialProps, wrapper }))).toBe('set');
  });
}
