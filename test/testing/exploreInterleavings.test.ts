/** exploreInterleavings plays every order, and finds the order that breaks the code. */
import { readFileSync } from 'node:fs';
import { Collection, createResource, Delete, Endpoint } from 'signalbox';
import { InterleavingError, exploreInterleavings } from 'signalbox/testing';
import type { Interleaving } from 'signalbox/testing';
import { expect, test } from 'vitest';
import { Todo } from '../setup/samples.ts';

// the example of docs/testing.md
const TodoResource = createResource({ path: '/todos/:id', schema: Todo });

const example = () =>
  exploreInterleavings({
    fixtures: () => [
      { endpoint: TodoResource.getList, response: [{ id: 1, title: 'old' }] },
      { endpoint: TodoResource.get, response: { id: 1, title: 'old' } },
      { endpoint: TodoResource.partialUpdate, response: { id: 1, title: 'new' } },
    ],
    start({ controller, ask }) {
      ask(TodoResource.getList);
      ask(TodoResource.get, { id: 1 });
      ask(TodoResource.partialUpdate, { id: 1 }, { title: 'new' });
      return controller.entity(Todo, 1);
    },
    check(_race, todo) {
      expect(todo.value?.title).toBe('new');
    },
  });

test('[T1] the example of docs/testing.md runs, with six orders', async () => {
  const page = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8');
  const shown = /exploreInterleavings\(\{\n([\s\S]*?)\n\}\);/.exec(page)?.[1]?.split('\n');
  const own = readFileSync(new URL(import.meta.url), 'utf8');
  expect(shown?.length).toBeGreaterThan(10);
  expect(own).toContain(shown?.map((line) => `  ${line}`).join('\n'));
  expect(await example()).toBe(6);
});

/** An endpoint without a fixture, and the order of its responses. */
const echo = new Endpoint(async (text: string) => text, { name: 'echo' });
const arrivals = (names: readonly string[]) => ({
  start({ controller }: Interleaving) {
    const seen: string[] = [];
    for (const name of names)
      void controller.fetch(echo, name).then(
        (text) => seen.push(text),
        () => seen.push(`no ${name}`),
      );
    return seen;
  },
});

test('[T1] exploreInterleavings plays each order of the responses once', async () => {
  const orders: string[] = [];
  const check = (_race: Interleaving, seen: string[]) => void orders.push(seen.join(''));
  expect(await exploreInterleavings({ ...arrivals(['a', 'b', 'c']), check })).toBe(6);
  expect(orders.sort()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
});

test('[T1] with `failure`, exploreInterleavings also plays each order with each single request failing', async () => {
  const orders: string[] = [];
  const check = (_race: Interleaving, seen: string[]) => void orders.push(seen.join(' '));
  const failure = new Error('offline');
  expect(await exploreInterleavings({ ...arrivals(['a', 'b']), check, failure })).toBe(6);
  expect(orders.sort()).toEqual(['a b', 'a no b', 'b a', 'b no a', 'no a b', 'no b a']);
});

test('[T1] exploreInterleavings plays requests that are sent after a response', async () => {
  const orders: string[] = [];
  const orderCount = await exploreInterleavings({
    start({ controller }) {
      const seen: string[] = [];
      const say = (text: string) => void seen.push(text);
      void controller.fetch(echo, 'a').then((text) => {
        say(text);
        return controller.fetch(echo, 'then').then(say);
      });
      void controller.fetch(echo, 'b').then(say);
      return seen;
    },
    check: (_race, seen) => void orders.push(seen.join(' ')),
  });
  expect(orderCount).toBe(3);
  expect(orders.sort()).toEqual(['a b then', 'a then b', 'b a then']);
});

test('[T1] exploreInterleavings rejects with T2 and the trace of the first order that breaks `check`', async () => {
  const lab = exploreInterleavings({
    ...arrivals(['a', 'b']),
    check(_race, seen) {
      if (seen[0] === 'b') throw new Error('b is first');
    },
  });
  const error = await lab.then(
    () => undefined,
    (thrown: unknown) => thrown as InterleavingError,
  );
  expect(error).toBeInstanceOf(InterleavingError);
  expect(error).toMatchObject({ code: 'T2', cause: { message: 'b is first' } });
  expect(error?.trace).toEqual([
    'sent      echo "a"',
    'sent      echo "b"',
    'answered  echo "b": "b"',
    'answered  echo "a": "a"',
  ]);
  expect(error?.message).toContain('order 2 of the responses: b is first');
  expect(error?.message).toContain('\n  answered  echo "b": "b"');
});

test('[T1] exploreInterleavings calls `always` after each response, and rejects with T2 at the first failure', async () => {
  const lab = exploreInterleavings({
    ...arrivals(['a', 'b']),
    always(_race, seen) {
      expect(seen).toContain('a');
    },
    check() {},
  });
  await expect(lab).rejects.toMatchObject({ code: 'T2', trace: { length: 3 } });
});

test('[T1] exploreInterleavings rejects with T3 if there are more orders than `limit`', async () => {
  const lab = exploreInterleavings({ ...arrivals(['a', 'b', 'c']), check() {}, limit: 5 });
  await expect(lab).rejects.toMatchObject({ code: 'T3' });
});

test('[T1] a request without a fixture fails, and the trace names the missing fixture', async () => {
  const lab = exploreInterleavings({
    fixtures: () => [],
    start: ({ ask }) => ask(echo, 'a'),
    check() {
      throw new Error('always');
    },
  });
  await expect(lab).rejects.toMatchObject({
    trace: ['sent      echo "a"', expect.stringContaining('no fixture matches')],
  });
});

test('[T1] exploreInterleavings finds the order in which a handwritten list keeps a deleted row', async () => {
  const rows = new Map([1, 2].map((id) => [id, { id, title: 'x' }]));
  const todos = new Collection([Todo]);
  const list = new Endpoint(async (_args: object) => [...rows.values()], {
    schema: todos,
    name: 'list',
  });
  const remove = new Endpoint(async (_args: { id: number }) => ({}), {
    schema: new Delete(Todo),
    name: 'remove',
    sideEffect: true,
  });
  const start = ({ ask, controller }: Interleaving) => {
    ask(list, {});
    ask(remove, { id: 2 });
    // by hand, and without a thought for the order
    const byHand: number[] = [];
    void controller.fetch(list, {}).then((all) => byHand.push(...all.map(({ id }) => id)));
    return { stored: controller.signal(list, {}), byHand };
  };
  const ids = (all: readonly Todo[] | undefined) => all?.map(({ id }) => id);
  await exploreInterleavings({
    start,
    check: (_race, { stored }) => expect(ids(stored.value)).toEqual([1]),
  });
  const careless = exploreInterleavings({
    start,
    check: (_race, { byHand }) => expect(byHand).toEqual([1]),
  });
  await expect(careless).rejects.toMatchObject({ code: 'T2' });
});
