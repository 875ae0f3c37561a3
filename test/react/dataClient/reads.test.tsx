// What hooks show where Data Client and the main entries differ: absent members, expired data, delays.
import {
  act,
  render as renderElement,
  renderHook as renderPlain,
  waitFor,
} from '@testing-library/react';
import { Suspense } from 'react';
import {
  Collection,
  Controller,
  DataProvider,
  Endpoint,
  Entity,
  ErrorBoundary,
  getDefaultManagers,
  GQLEndpoint,
  Resource,
  resource,
  RestEndpoint,
  schema,
  useCache,
  useDebounce,
  useDLE,
  useFetch,
  useSuspense,
} from 'signalbox/data-client';
import { renderDataHook } from 'signalbox/data-client/test';
import { afterEach, expect, test, vi } from 'vitest';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

class TodoResource extends Resource {
  id = 0;
  static override urlRoot = 'http://api.test/x/';
  static override key = 'TodoResource';
}

// any: endpoints of several types
const envelope = (): any => ({
  results: new Collection([Todo]),
  plain: [Todo],
  next: '',
  tags: [],
  meta: { total: 0, first: Todo },
});

test.each([
  ['an endpoint', () => new Endpoint(async () => ({}), { name: 'get', schema: envelope() })],
  ['a rest endpoint', () => new RestEndpoint({ path: '/x', schema: envelope() })],
  ['a query', () => new GQLEndpoint('http://api.test').query('query Q { next }', envelope())],
  ['an extension', () => new RestEndpoint({ path: '/x' }).extend({ schema: envelope() })],
  [
    'the list of a resource',
    () =>
      resource({ path: '/x/:id', schema: Todo }).extend({ getList: { schema: envelope() } })
        .getList,
  ],
  ['an extended list of a class', () => TodoResource.list().extend({ schema: envelope() })],
  [
    'an extension of an extended list of a class',
    () => TodoResource.list().extend({ name: 'page' }).extend({ schema: envelope() }),
  ],
])('[T5] members that a response of %s leaves out are undefined', async (_name, create) => {
  const controller = new Controller();
  const endpoint: any = create(); // any: as above
  const read = () => controller.getResponse(endpoint).data as unknown;
  await controller.setResponse(endpoint, { results: [{ id: 1 }], meta: {}, more: 1 });
  expect(read()).toEqual({ results: [{ id: 1, title: '' }], meta: {}, more: 1 });
  expect(read()).toBe(read());
  await controller.setResponse(endpoint, { next: '', tags: [], plain: [{ id: 3 }] });
  expect(read()).toEqual({ next: '', tags: [], plain: [{ id: 3, title: '' }] });
  expect(endpoint.schema.next).toBe('');
  await controller.setResponse(endpoint, { results: [], next: null });
  await controller.set(endpoint.schema.results.push, { id: 2 });
  expect(read()).toEqual({ results: [{ id: 2, title: '' }], next: null });
});

test('[T5] a schema with an undefined member rejects the write with S4', async () => {
  const endpoint = new RestEndpoint({ path: '/x', schema: { todo: undefined as never } });
  await expect(new Controller().setResponse(endpoint, {})).rejects.toThrow('S4');
});

test('[T5] useCache of an endpoint with invalidIfStale returns no expired data', () => {
  vi.useFakeTimers({ now: 1000 });
  const get = new Endpoint(async ({ id }: { id: number }) => ({ id }), {
    name: 'getTodo',
    schema: Todo,
    dataExpiryLength: 100,
  });
  const strict = get.extend({ invalidIfStale: true });
  const { result, rerender } = renderDataHook(
    () => [useCache(get, { id: 1 })?.id, useCache(strict, { id: 1 })?.id],
    { initialFixtures: [{ endpoint: get, args: [{ id: 1 }], response: { id: 1 } }] },
  );
  expect(result.current).toEqual([1, 1]);
  vi.setSystemTime(2000);
  rerender();
  expect(result.current).toEqual([1, undefined]);
});

test('[T5] useDebounce is pending only while the new value renders', () => {
  vi.useFakeTimers();
  const seen: [string, boolean][] = [];
  const { rerender } = renderPlain(
    ({ text }) => {
      const now = useDebounce(text, 200);
      seen.push(now);
      return now;
    },
    { initialProps: { text: 'a' } },
  );
  rerender({ text: 'b' });
  act(() => void vi.advanceTimersByTime(199));
  expect(seen.at(-1)).toEqual(['a', false]);
  act(() => void vi.advanceTimersByTime(1));
  expect(seen.at(-1)).toEqual(['b', false]);
  expect(seen.slice(0, -1).every(([text]) => text === 'a')).toBe(true);
});

test('[T5] a mutation is sent without an optimistic value if its getOptimisticResponse throws', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const save = new Endpoint(async (body: { id: number; title: string }) => body, {
    name: 'save',
    schema: Todo,
    sideEffect: true,
    getOptimisticResponse(): { id: number; title: string } {
      throw new Error('not expected');
    },
  });
  const controller = new Controller();
  const saved = controller.fetch(save, { id: 1, title: 'saved' });
  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  await saved;
  expect(controller.get(Todo, { id: 1 })?.title).toBe('saved');
});

test('[T5] a union value of an unknown type keeps the raw value', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const get = new Endpoint(async () => ({}), {
    name: 'getUnion',
    schema: { item: new schema.Union({ todo: Todo }, 'type') },
  });
  const controller = new Controller();
  await controller.setResponse(get as any, { item: { id: 1, type: 'other' } });
  expect(controller.getResponse(get as any).data).toEqual({ item: { id: 1, type: 'other' } });
});

test('[T5] useDLE, useCache and getResponse keep the data beside a hard error, and follow later writes', async () => {
  const get = new Endpoint(async ({ id }: { id: number }) => ({ id, title: 'first' }), {
    name: 'getTodo',
    schema: Todo,
  });
  const { result, controller } = renderDataHook(
    () => {
      const { data, loading, error } = useDLE(get, { id: 1 });
      return [data?.title, loading, error?.message, useCache(get, { id: 1 })?.title];
    },
    {
      initialFixtures: [{ endpoint: get, args: [{ id: 1 }], response: { id: 1, title: 'first' } }],
    },
  );
  const gone = Object.assign(new Error('gone'), { status: 404 });
  await act(() => controller.setError(get, { id: 1 }, gone));
  expect(result.current).toEqual(['first', false, 'gone', 'first']);
  expect(controller.getResponse(get, { id: 1 })).toMatchObject({
    data: { title: 'first' },
    error: gone,
    expiryStatus: 3,
  });
  await act(() => controller.set(Todo, { id: 1 }, { id: 1, title: 'pushed' }));
  expect(result.current).toEqual(['pushed', false, 'gone', 'pushed']);
  await act(() => controller.setResponse(get, { id: 1 }, { id: 1, title: 'again' }));
  expect(result.current).toEqual(['again', false, undefined, 'again']);
});

// any: an error of the application
const failing = (error: any) => async (): Promise<{ id: number }> => {
  throw error;
};
const withStatus = (status?: number) => Object.assign(new Error('no'), status && { status });
// any: endpoints of both classes
const endpointsThat = (fetch: () => Promise<any>): readonly [string, any][] => [
  ['Endpoint', new Endpoint(fetch, { name: 'getTodo', schema: Todo })],
  ['RestEndpoint', new RestEndpoint({ path: '/todo', schema: Todo, fetch })],
];

test.each([
  { Class: 'Endpoint', status: undefined, policy: 'hard' },
  { Class: 'Endpoint', status: 404, policy: 'hard' },
  { Class: 'Endpoint', status: 503, policy: 'hard' },
  { Class: 'RestEndpoint', status: undefined, policy: 'hard' },
  { Class: 'RestEndpoint', status: 404, policy: 'hard' },
  { Class: 'RestEndpoint', status: 503, policy: 'soft' },
])('[T5] an error of $Class with status $status is $policy behind data', async (row) => {
  const error = withStatus(row.status);
  const [, get] = endpointsThat(failing(error)).find(([name]) => name === row.Class) ?? [];
  const controller = new Controller();
  await controller.setResponse(get, { id: 1, title: 'first' });
  await expect(controller.fetch(get)).rejects.toBe(error);
  const hard = row.policy === 'hard' ? error : undefined;
  expect(controller.getState().meta[get.key()]).toMatchObject({ errorPolicy: row.policy });
  expect(controller.getError(get)).toBe(hard);
  expect(controller.snapshot().getError(get)).toBe(hard);
  expect(controller.getResponse(get).data?.title).toBe('first');
  const own = get.extend({ name: 'own', errorPolicy: () => 'soft' });
  await controller.setResponse(own, { id: 1, title: 'first' });
  await controller.setError(own, error);
  expect(controller.getError(own)).toBe(undefined);
});

test('[T5] getError returns a soft error if there are no data', async () => {
  const controller = new Controller();
  const [, [, get] = []] = endpointsThat(failing(withStatus(503)));
  await expect(controller.fetch(get)).rejects.toThrow('no');
  expect(controller.getError(get)).toMatchObject({ status: 503 });
});

test('[T5] an empty response keeps the data of an endpoint', async () => {
  for (const [, get] of endpointsThat(async () => null)) {
    const controller = new Controller();
    await controller.setResponse(get, { id: 1, title: 'first' });
    await expect(controller.fetch(get)).rejects.toThrow('F2');
    expect(controller.getResponse(get)).toMatchObject({ data: { title: 'first' } });
    expect(controller.getError(get)).toBe(undefined);
  }
});

test('[T5] getResponse has null data after a null response', async () => {
  const controller = new Controller();
  const get = new Endpoint(async () => null, { name: 'nothing' });
  await controller.setResponse(get, null);
  expect(controller.getResponse(get)).toMatchObject({ data: null, expiryStatus: 3 });
});

test('[T5] useFetch returns undefined for null, and an unresolved promise for invalidated data', async () => {
  const get = new Endpoint(({ id }: { id: number }) => new Promise<{ id: number }>(() => id), {
    name: 'getTodo',
    schema: { todo: Todo, next: '' },
  });
  const args = [{ id: 1 }] as const;
  const { result, controller } = renderDataHook(
    () => [useFetch(get, null), useFetch(get, ...args)] as const,
    { initialFixtures: [{ endpoint: get, args: [...args], response: { todo: { id: 1 } } }] },
  );
  expect([result.current[0], result.current[1].resolved]).toEqual([undefined, true]);
  await act(() => controller.invalidate(get, ...args));
  expect(result.current[1].resolved).toBe(false);
});

test('[T5] a subclass of ErrorBoundary reads the error in its state, and shows the children after a reset', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let answer = 404;
  const getTodo = new Endpoint(
    async () => {
      if (answer >= 400) throw Object.assign(new Error('failed'), { status: answer });
      return { id: 1, title: 'one' };
    },
    { name: 'getTodo', schema: Todo },
  );
  const reset: (() => void)[] = [];
  class Missing extends ErrorBoundary<Error & { status: number }> {
    override render() {
      return this.state.error?.status === 404 ? <i>missing</i> : super.render();
    }
  }
  function Failed({ error, resetErrorBoundary }: { error: Error; resetErrorBoundary: () => void }) {
    reset.push(resetErrorBoundary);
    return <b>{error.message}</b>;
  }
  function Detail() {
    return <p>{useSuspense(getTodo).title}</p>;
  }
  const page = (key: string) => (
    <DataProvider managers={getDefaultManagers()} key={key}>
      <Missing fallbackComponent={Failed}>
        <Suspense fallback="loading">
          <Detail />
        </Suspense>
      </Missing>
    </DataProvider>
  );
  const { container, rerender } = renderElement(page('first'));
  await waitFor(() => expect(container.innerHTML).toBe('<i>missing</i>'));
  answer = 500;
  rerender(page('second'));
  await waitFor(() => expect(container.innerHTML).toBe('<b>failed</b>'));
  answer = 200;
  act(() => reset.at(-1)?.());
  await waitFor(() => expect(container.innerHTML).toBe('<p>one</p>'));
});
