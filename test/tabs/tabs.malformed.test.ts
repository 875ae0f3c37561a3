// Malformed messages on the channel of tabs: nothing is thrown or written, and later messages are received.
import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { settled, Todo } from '../setup/world.ts';
import { openTabs } from './severalTabs.ts';

type Json = { [name: string]: Json } | Json[] | string | number | boolean | null | undefined;

/** The recorded messages of two tabs, a third tab that receives messages of the test, and a fourth. */
async function recordedMessages() {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const made = await openTabs(2);
  const { api, w, bus, tabs } = made;
  const [first] = tabs as [(typeof tabs)[0]];
  const reading = first.fetch(api.list, {});
  await w.call().answer([{ id: 1, title: 'a', author: { id: 2, name: 'bo' } }]);
  await reading;
  const updating = first.fetch(api.update, { id: 1 }, { title: 'b' });
  await w.call().answer({ id: 1, title: 'b' });
  await updating;
  await first.set(Todo, { id: 3 }, { id: 3, title: 'c' });
  first.invalidate(api.get, { id: 1 });
  await made.quiet();
  const posted = structuredClone(bus.posted) as Json[];
  const tab = made.open();
  const other = made.open();
  await made.quiet();
  // edits of the messages treat structured clones of Sets like objects
  const stray = bus.channel();
  onTestFinished(() => stray.close());
  const say = (data: unknown) => {
    stray.postMessage(data);
    while (bus.waiting > 0) bus.deliver(0);
  };
  return { made, posted, tab, other, say, warn };
}
type RecordedMessages = Awaited<ReturnType<typeof recordedMessages>>;

let title = 0;
/** Fails if the tab does not receive, or is not received by the other tab. */
async function goesOn({ made, tab, other }: RecordedMessages): Promise<void> {
  const text = `title ${++title}`;
  await other.set(Todo, { id: 50 }, { id: 50, title: text });
  await made.quiet();
  expect(tab.get(Todo, { id: 50 })?.title).toBe(text);
  await tab.set(Todo, { id: 51 }, { id: 51, title: text });
  await made.quiet();
  expect(other.get(Todo, { id: 51 })?.title).toBe(text);
}

const head = {
  signalbox: 1,
  version: undefined,
  from: 0.123,
  time: 20,
  opened: 0,
  generation: [],
  presence: undefined,
};
const commit = { cause: 'set', key: undefined, ids: [], at: 1, time: 10 };
const write = { schema: 'get.schema', args: [{ id: 7 }], value: { id: 7, title: 'x' } };
const stamp = { time: 10, fetchedAt: 1, expiresAt: 1e15 };
const writing = (told: object, more: object = {}) => ({
  ...head,
  news: [{ commit: { ...commit, writes: [{ ...write, stamp, ...told }], ...more } }],
});

test('[P3] the well-formed message that the following cases damage is received', async () => {
  const scene = await recordedMessages();
  scene.say(writing({}));
  expect(scene.tab.get(Todo, { id: 7 })?.title).toBe('x');
  await goesOn(scene);
});

test('[P3] a malformed message is warned about once in development', async () => {
  const scene = await recordedMessages();
  for (const presence of ['hello', 5]) scene.say({ ...head, presence, news: [] });
  expect(scene.warn).toHaveBeenCalledTimes(1);
  expect(scene.warn.mock.calls[0]?.[0]).toContain('[signalbox B3]');
});

test.each<[string, unknown]>([
  ['no news', { ...head, news: undefined }],
  ['news that are text', { ...head, news: 'news' }],
  ['news that are null', { ...head, news: [null] }],
  ['news with a hole', { ...head, news: Object.assign([], { 1: { ended: [] } }) }],
  ['news of an unknown kind', { ...head, news: [{ told: 1 }] }],
  ['no time', { ...head, time: undefined, news: [] }],
  ['an endless time', { ...head, time: Infinity, news: [] }],
  ['a time that is NaN', { ...head, time: NaN, news: [] }],
  ['a time far ahead', { ...head, time: 1e300, news: [] }],
  ['a generation that is text', { ...head, generation: 'x', news: [] }],
  ['a generation of texts', { ...head, generation: ['x'], news: [] }],
  ['no time of opening', { ...head, opened: undefined, news: [] }],
  ['an endless generation', { ...head, generation: [Infinity], news: [] }],
  ['a tab that is null', { ...head, from: null, news: [] }],
  ['a presence that is an object', { ...head, presence: {}, news: [] }],
  ['requests that ended without a list', { ...head, news: [{ ended: 3 }] }],
  ['a request that is null', { ...head, news: [{ request: null }] }],
  ['a request without a number', { ...head, news: [{ request: { at: 1, title: 'x' } }] }],
  [
    'a request of an endless number',
    { ...head, news: [{ request: { id: Infinity, at: 1, title: 'x' } }] },
  ],
  [
    'a read without a key',
    { ...head, news: [{ request: { id: 1, at: 1, title: 'x', read: { schema: null } } }] },
  ],
  ['a commit that is null', { ...head, news: [{ commit: null }] }],
  ['a commit without writes', { ...head, news: [{ commit }] }],
  ['a commit that resets', writing({}, { cause: 'reset' })],
  ['a commit of an endless time', writing({}, { time: Infinity })],
  ['a write without arguments', writing({ args: undefined })],
  ['a write under a number', writing({ schema: 5 })],
  ['a write of a schema in an empty list', writing({ schema: [] })],
  ['a write of an endless time', writing({ stamp: { ...stamp, time: Infinity } })],
  ['a write of no time', writing({ stamp: {} })],
  ['a write by null', writing({ by: null })],
  ['a write with a list of own fields', writing({ stamp: { ...stamp, own: ['title'] } })],
])('[P3] a message with %s throws nothing and writes nothing', async (_, message) => {
  const scene = await recordedMessages();
  const before = scene.tab.get(Todo, { id: 1 });
  expect(() => scene.say(message)).not.toThrow();
  expect(scene.tab.get(Todo, { id: 7 })).toBeUndefined();
  expect(scene.tab.get(Todo, { id: 1 })).toBe(before);
  await goesOn(scene);
});

test.each<[string, unknown]>([
  ['null', null],
  ['nothing', undefined],
  ['text', 'signalbox'],
  ['a number', 1],
  ['a list', [1]],
  ['of another program', { type: 'leader' }],
  ['of a later format', { ...head, signalbox: 2, news: 'compressed' }],
])('[P3] a message that is %s is ignored without a warning', async (_, message) => {
  const scene = await recordedMessages();
  expect(() => scene.say(message)).not.toThrow();
  expect(scene.warn).not.toHaveBeenCalled();
  await goesOn(scene);
});

/** All places in a value. */
function placesIn(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null || value instanceof Set) return [path];
  return [
    path,
    ...Object.keys(value).flatMap((name) => placesIn((value as never)[name], [...path, name])),
  ];
}

function spoil(message: Json, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const copy = structuredClone(message) as { [name: string]: unknown };
  copy[name] = spoil((message as { [name: string]: Json })[name], rest, value);
  return copy;
}

test('[P3] a message with any damaged part throws nothing, and later messages are received', async () => {
  const scene = await recordedMessages();
  const { posted, say } = scene;
  const anything = fc.oneof(
    fc.anything({ maxDepth: 2 }),
    fc.constantFrom(undefined, null, NaN, Infinity, -1, 1e300, '', [], {}, [null], '__proto__'),
  );
  const wrong = fc.record({ at: fc.nat(), place: fc.nat(), value: anything });
  await fc.assert(
    fc.asyncProperty(fc.array(wrong, { minLength: 1, maxLength: 10 }), async (all) => {
      for (const { at, place, value } of all) {
        const message = posted[at % posted.length];
        const places = placesIn(message);
        // well-formed statements about a version, a tab and a log out take effect
        const path = places[place % places.length] as readonly string[];
        if (path[0] === 'generation' || path[0] === 'signalbox') continue;
        const spoiled = spoil(message, path, value);
        expect(() => say(spoiled)).not.toThrow();
      }
      await settled();
      await goesOn(scene);
    }),
    { numRuns: 300 },
  );
});
