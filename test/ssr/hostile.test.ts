// A page with data that the server never sent: warns, starts without these data, and fetches.
import { Collection, Controller, Endpoint } from 'signalbox';
import { dehydrate, hydrateController, receiveServerData } from 'signalbox/ssr';
import type { ServerState } from 'signalbox/ssr';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoppedClock, Todo } from '../setup/world.ts';

const clock = new StoppedClock();
const page = () => new Controller({ clock });
const sent: string[] = [];
const list = new Endpoint(
  async (_params: object) => (sent.push('list'), [{ id: 1, title: 'a' }] as object[]),
  { schema: new Collection([Todo]), name: 'list' },
);
const one = new Endpoint(async ({ id }: { id: number }) => (sent.push('one'), { id, title: 'a' }), {
  schema: Todo,
  name: 'one',
});

const server = new Controller({ clock });
await Promise.all([server.fetch(list, {}), server.fetch(one, { id: 2 })]);
const good: ServerState = JSON.parse(JSON.stringify(dehydrate(server)));
const [entity = [] as never, ...entities] = good.entities;
const [result = [] as never, ...results] = good.results;

const cyclic: Record<string, unknown> = { title: 'a' };
cyclic['self'] = cyclic;
const { version: _, ...older } = good;

/** Payloads of which nothing is taken. */
const foreign: Record<string, unknown> = {
  null: null,
  undefined,
  'a number': 7,
  text: 'hello',
  'text that was not parsed': JSON.stringify(good),
  'text that was cut off': JSON.stringify(good).slice(0, 40),
  'an array': [good],
  'an empty object': {},
  'a function': () => good,
  'another program’s state': { queries: [], mutations: [] },
  'no version': older,
  'a version to come': { ...good, version: 99 },
  'no entities': { ...good, entities: undefined },
  'entities that are an object': { ...good, entities: { 1: entity } },
  'entities that are text': { ...good, entities: 'abc' },
  'a row that is null': { ...good, entities: [...good.entities, null] },
  'a row that is an object': { ...good, entities: [{ id: 1 }, ...entities] },
  'a row without fields': { ...good, entities: [[1, '1'], ...entities] },
  'a row whose fields are text': { ...good, entities: [[1, '1', 'x'], ...entities] },
  'a row whose key is a number': { ...good, entities: [[1, 1, {}], ...entities] },
  'rows with a hole': { ...good, entities: Object.assign([], { 1: entity }) },
  'no results': { ...good, results: undefined },
  'results that are an object': { ...good, results: Object.fromEntries(good.results) },
  'a result without a key': { ...good, results: [[result[1]], ...results] },
  'a result that is null': { ...good, results: [[result[0], null], ...results] },
  'a result whose expiry is text': {
    ...good,
    results: [[result[0], { ...result[1], expiresAt: 'soon' }], ...results],
  },
  'a result whose failure is text': { ...good, results: [[result[0], { failure: 'x' }]] },
  'keys of a prototype': JSON.parse(
    `{"__proto__": ${JSON.stringify(good)}, "constructor": {"prototype": {"x": 1}}}`,
  ),
  'a getter that throws': {
    get version() {
      throw new Error('no');
    },
  },
};

let warned: readonly unknown[][] = [];
const codes = () => warned.map(([text]) => /signalbox (\w+)/.exec(String(text))?.[1]);
beforeEach(() => {
  sent.length = 0;
  warned = vi.spyOn(console, 'warn').mockImplementation(() => {}).mock.calls;
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, '__signalbox');
});

async function startsEmpty(controller: Controller): Promise<void> {
  expect(controller.view(list, {}).ensure(true)).toBeInstanceOf(Promise);
  expect(await controller.fetch(list, {})).toMatchObject([{ id: 1, title: 'a' }]);
  expect(sent).toEqual(['list']);
  expect(({} as { x?: number }).x).toBe(undefined);
}

test.each(Object.keys(foreign))(
  '[H5] hydrateController given %s stores nothing, and the page fetches',
  async (name) => {
    const controller = page();
    hydrateController(controller, foreign[name] as ServerState);
    expect(controller.get(Todo, { id: 1 })).toBe(undefined);
    await startsEmpty(controller);
  },
);

test.each(Object.keys(foreign))(
  '[H5] receiveServerData ignores %s in a stream, and reads the next valid part',
  async (name) => {
    Reflect.set(globalThis, '__signalbox', [foreign[name]]);
    const controller = page();
    receiveServerData(controller);
    const receiver = Reflect.get(globalThis, '__signalbox') as { push(state: unknown): void };
    receiver.push(foreign[name]);
    expect(controller.view(one, { id: 2 }).serverReader?.()).toBe(undefined);
    receiver.push(good);
    expect(await controller.fetchIfStale(one, { id: 2 })).toMatchObject({ title: 'a' });
    expect(sent).toEqual([]);
  },
);

test.each<[string, unknown]>([
  ['an element', document()],
  ['text', 'x'],
  ['a number', 1],
])(
  '[H5] receiveServerData stores nothing if its global is %s, and the page fetches',
  async (_name, global) => {
    Reflect.set(globalThis, '__signalbox', global);
    const controller = page();
    receiveServerData(controller);
    expect(controller.get(Todo, { id: 1 })).toBe(undefined);
    await startsEmpty(controller);
  },
);

test('[H5] an ignored payload is warned about once in development', () => {
  hydrateController(page(), { ...good, version: 1234 });
  hydrateController(page(), { ...good, version: 1234 });
  expect(codes()).toEqual(['H2']);
  expect(String(warned[0]?.[0])).toContain('1234');
});

const withData = (data: unknown): ServerState =>
  ({ ...good, results: [[result[0], { ...result[1], data }], ...results] }) as ServerState;
const withFields = (fields: unknown): ServerState =>
  ({ ...good, entities: [[1, '1', fields], ...entities] }) as ServerState;

/** Valid in form, but not readable under the schema of the request. */
const unfitting: Record<string, ServerState> = {
  'a list that is text': withData('x'),
  'a row that was not sent': withData([{ $: 77 }]),
  'an invalid tag': withData([{ $: null }]),
  'an invalid number': withData([{ id: { $: ['b', 'x'] } }]),
  'cyclic data': withData([cyclic]),
  'a cyclic row': withFields(cyclic),
  'an invalid error': {
    ...good,
    results: [[result[0], { failure: { error: 'x', hard: true, expiresAt: 1e15 } }], ...results],
  },
};

test.each(Object.keys(unfitting))(
  '[H5] %s drops only the request concerned, and the page fetches that request',
  async (name) => {
    const controller = page();
    hydrateController(controller, unfitting[name] as ServerState);
    expect(await controller.fetchIfStale(one, { id: 2 })).toMatchObject({ id: 2, title: 'a' });
    expect(sent).toEqual([]);
    await startsEmpty(controller);
    expect(controller.view(list, {}).serverReader?.()).toBe(undefined);
  },
);

/** As a page has an element under the name of the id. */
function document(): object {
  return { tagName: 'DIV', nodeType: 1 };
}
