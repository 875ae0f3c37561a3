/** Reads with unusable responses: empty, a page of HTML, JSON cut off. */
import { Collection, Controller, Entity, NetworkError, RestEndpoint, Union } from 'signalbox';
import type { ControllerOptions } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo, refused, settled, StoppedClock, wholeTodo, world } from '../setup/world.ts';

const params = { id: 1 };
const good = { id: 1, title: 'a' };

class Post extends Entity {
  id = 0;
  type = 'post';
}

test.each<[string, unknown, unknown, unknown]>([
  ['an entity', Todo, good, null],
  ['an entity (undefined)', Todo, good, undefined],
  ['an envelope', { todo: Todo }, { todo: good }, null],
  ['a union', new Union({ post: Post }, 'type'), { id: 1, type: 'post' }, null],
  ['a list', [Todo], [good], null],
  ['a list with an identity', new Collection([Todo]), [good], null],
])('[R6] an empty response to a read of %s keeps the stored data', async (...row) => {
  const [, schema, first, nothing] = row;
  const w = world();
  const answers = [first, nothing, first];
  const get = w.read('get', schema, { reply: () => answers.shift() });
  const shown = await w.controller.fetch(get, params);
  const view = w.controller.view(get, params);
  const release = view.retain();
  const error = await refused(w.controller.fetch(get, params));
  expect(error).toMatchObject({ code: 'F2', status: 404, key: get.key(params) });
  expect(String(error)).toMatch(nothing === null ? /the response is empty/ : /returned undefined/);
  expect(view.result.value).toMatchObject({ status: 'success' });
  expect(view.result.value.data).toBe(shown);
  expect(w.controller.signal(get, params).value).toBe(shown);
  expect(w.controller.getError(get, params)).toBe(error);
  await w.controller.fetch(get, params);
  expect(w.controller.getError(get, params)).toBeUndefined();
  release();
});

test('[R6] an empty response to a read without stored data fails with status 404', async () => {
  const w = world();
  const answers = [null, good];
  const get = w.read('get', Todo, { reply: () => answers.shift() });
  const view = w.controller.view(get, params);
  await view.ensure(true);
  expect(view.result.value).toMatchObject({ status: 'error', error: { status: 404 } });
  expect(view.ensure(true)).toBeUndefined();
  expect(w.calls).toHaveLength(1);
  w.clock.advance(1_001);
  await view.ensure(true);
  expect(view.result.value).toMatchObject({ status: 'success', data: good });
});

test('[R6] an unreadable detail leaves the rows of a list, and notifies no reader of the list', async () => {
  const w = world();
  const list = w.read('list', new Collection([Todo]), { reply: () => [wholeTodo()] });
  const get = w.read('get', Todo, { reply: () => null });
  const rows = await w.controller.fetch(list, {});
  const seen: unknown[] = [];
  const stop = w.controller.signal(list, {}).subscribe((value) => seen.push(value));
  await refused(w.controller.fetch(get, params));
  expect(w.controller.view(get, params).result.value).toMatchObject({ data: good });
  expect(w.controller.get(Todo, params)).toBe(rows[0]);
  expect(seen).toEqual([rows]);
  stop();
});

test.each([
  ['no schema', undefined],
  ['a schema of null', null],
  ['a schema of text', ''],
  ['a schema without entities', { total: 0 }],
])('[R6] a read with %s accepts a response of null', async (_, schema) => {
  const w = world();
  const get = w.read('get', schema, { reply: () => null });
  await expect(w.controller.fetch(get, params)).resolves.toBe(null);
  expect(w.controller.getError(get, params)).toBeUndefined();
});

test('[R6] `process` of an endpoint can convert an empty response to data', async () => {
  const w = world();
  const list = new RestEndpoint({
    path: '/todos',
    schema: [Todo],
    fetchResponse: async () => new Response(null, { status: 204 }),
    process: (value: Todo[] | null) => value ?? [],
  });
  await expect(w.controller.fetch(list)).resolves.toEqual([]);
});

test('[R6] setResponse with null for an entity rejects with F2, and keeps the stored data', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => good });
  const shown = await w.controller.fetch(get, params);
  expect(await refused(w.controller.setResponse(get, params, null))).toMatchObject({ code: 'F2' });
  expect(w.controller.view(get, params).result.value.data).toBe(shown);
});

const cut = () => new Response('{"id":1,"ti', { headers: { 'content-type': 'application/json' } });
const page = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
const whole = () => Response.json(good);

/** A detail; the server sends these responses in order, and repeats the last. */
function answering(answers: (() => Response)[], options: ControllerOptions = {}) {
  const clock = new StoppedClock();
  let sent = 0;
  const get = new RestEndpoint({
    path: '/todos/:id',
    schema: Todo,
    async fetchResponse() {
      sent++;
      return (answers.length > 1 ? answers.shift() : answers[0])?.() as Response;
    },
  });
  const controller = new Controller({ clock, ...options });
  /** Lets all attempts be made. */
  const attempts = async () => {
    const before = sent;
    for (let turn = 0; turn < 20; turn++) {
      await settled();
      clock.advance(10_000);
    }
    return sent - before;
  };
  return { get, controller, clock, attempts };
}

const unreadable: [string, () => Response, object][] = [
  ['HTML with status 200', page, { code: 'R5', status: 404 }],
  ['JSON cut off', cut, { code: 'R6', status: 400 }],
];

test.each(unreadable)(
  '[R6] a refetch answered with %s keeps the stored data and sets the error',
  async (_, bad, about) => {
    const { get, controller } = answering([whole, bad], { retry: false });
    const shown = await controller.fetch(get, params);
    const view = controller.view(get, params);
    const release = view.retain();
    const error = await refused(controller.fetch(get, params));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject(about);
    expect(view.result.value).toMatchObject({ status: 'success', data: shown });
    expect(controller.getError(get, params)).toBe(error);
    release();
  },
);

test.each(unreadable)('[R6] a read answered with %s is sent again', async (_, bad) => {
  const { get, controller, attempts } = answering([bad, bad, whole]);
  const fetched = controller.fetch(get, params);
  expect(await attempts()).toBe(3);
  await expect(fetched).resolves.toMatchObject(good);
});

test.each(unreadable)(
  '[R6] a read always answered with %s fails, and is sent again after the error has expired',
  async (_, bad, about) => {
    const { get, controller, clock, attempts } = answering([bad, bad, bad, bad, whole]);
    const view = controller.view(get, params);
    const waiting = view.ensure(true);
    expect(await attempts()).toBe(4);
    await waiting;
    expect(view.result.value).toMatchObject({ status: 'error', error: about });
    clock.advance(1_001);
    await view.ensure(true);
    expect(view.result.value).toMatchObject({ status: 'success', data: good });
  },
);

test.each(unreadable)('[R6] a mutation whose response is %s is sent once', async (_, bad) => {
  const { get, controller, attempts } = answering([bad]);
  const update = get.extend({ method: 'PUT', retry: 3 });
  const caught = refused(controller.fetch(update, params, {}));
  expect(await attempts()).toBe(1);
  expect(await caught).toBeInstanceOf(NetworkError);
});

test('[R6] errorPolicy of the controller applies to unreadable responses', async () => {
  const { get, controller } = answering([whole, page], { retry: false, errorPolicy: () => 'hard' });
  await controller.fetch(get, params);
  await refused(controller.fetch(get, params));
  expect(controller.view(get, params).result.value).toMatchObject({ status: 'error' });
});
