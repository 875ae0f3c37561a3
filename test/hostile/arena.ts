/** A store with data and readers under attack: an input that is rejected must neither run a reader nor change data. */
import { Collection, SignalboxError, live, liveResult } from 'signalbox';
import type { Code } from 'signalbox';
import { expect, onTestFinished } from 'vitest';
import { Tag, Todo, User, refused, settled, watch, world } from '../setup/world.ts';
import type { Asked, Watcher, World } from '../setup/world.ts';

/** Names of members of Object.prototype. */
export const BORN = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
] as const;

/** The value that a case throws: the rejection must be this value. */
export const oops = new Error('oops');

/** A function that throws this value, in any place that expects a function. */
export const throwing = (): never => {
  throw oops;
};

/** As JSON.parse creates the object: `__proto__` is an own member. */
export const json = (text: string): any => JSON.parse(text);

/** An object with an own member of this name. */
export const owning = (name: string, value: unknown): any => Object.fromEntries([[name, value]]);

/** An object with operations that all throw. */
export const thorny = (target: object = {}): any =>
  new Proxy(
    target,
    Object.fromEntries(
      ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor'].map((trap) => [
        trap,
        throwing,
      ]),
    ),
  );

const born = Reflect.ownKeys(Object.prototype);

export class Arena {
  readonly w: World = world();
  readonly todos: Collection<[typeof Todo]> = new Collection([Todo]);
  readonly list: Asked<Collection<[typeof Todo]>>;
  readers: Watcher<unknown>[] = [];
  before: unknown[] = [];
  readonly rejected: unknown[] = [];

  constructor() {
    this.list = this.w.read('list', this.todos, {
      reply: () => [
        { id: 1, title: 'a', author: { id: 1, name: 'Ada' }, tags: [{ id: 1 }] },
        { id: 2, title: 'b', author: 1 },
      ],
    });
    const note = (reason: unknown) => void this.rejected.push(reason);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
  }

  async fill(): Promise<void> {
    const { controller } = this.w;
    await controller.fetch(this.list, {});
    const view = controller.view(this.list, {});
    const readers = [
      ...[1, 2, 900].map((pk) => controller.entity(Todo, pk)),
      ...[1, 900].map((pk) => controller.entity(User, pk)),
      ...BORN.map((pk) => controller.entity(User, pk)),
      controller.entity(Tag, 1),
      controller.signal(this.list, {}),
      view.result,
      liveResult(view),
    ];
    this.readers = [
      ...readers.map((reader) => watch<unknown>(reader)),
      watch(() => live(controller, Todo, 1).title),
      watch(() => live(controller, Todo, 1).author?.name),
    ];
    this.before = this.readers.map(({ last }) => last);
  }

  /** Fetches a response that the case defines. */
  answer(schema: unknown, reply: unknown, args: unknown = {}): Promise<any> {
    return this.w.controller.fetch(this.w.read('bad', schema, { reply: () => reply }), args);
  }
}

export async function arena(): Promise<Arena> {
  const made = new Arena();
  await made.fill();
  return made;
}

/** Every reference is the same, no reader was notified, no rejection was unhandled, and the store accepts writes. */
export async function expectUnharmed(arena: Arena): Promise<void> {
  await settled();
  await settled();
  const { controller } = arena.w;
  const { readers, before, rejected } = arena;
  expect(readers.map(({ runs }) => runs)).toEqual(readers.map(() => 1));
  expect(readers.map(({ last }, at) => last === before[at])).toEqual(readers.map(() => true));
  expect(controller.get(Todo, { id: 1 })).toBe(before[0]);
  expect(Reflect.ownKeys(Object.prototype)).toEqual(born);
  expect(Object.isFrozen(Object.prototype)).toBe(false);
  expect(rejected).toEqual([]);
  const good = arena.w.read('good', Todo, { reply: (id) => ({ id, title: 'good' }) });
  const todo = await controller.fetch(good, 5_000);
  expect(todo.title).toBe('good');
  expect(controller.entity(Todo, 5_000).value).toBe(todo);
  await controller.set(Todo, { id: 1 }, { title: 'after' });
  expect(readers[0]?.runs).toBe(2);
  expect(readers[1]?.runs).toBe(1);
  controller.invalidateAll(arena.list);
  expect(controller.signal(arena.list, {}).value).toBe(undefined);
}

/** The action of a case; an exception counts as a rejection. */
export type Act = (arena: Arena) => unknown;
/** A code, a class of errors, or the very thing that was thrown. */
export type Refusal = Code | typeof Error | typeof SignalboxError | { readonly is: unknown };

/** The action must be rejected with the named code, and the store must be unchanged. */
export async function refuses(act: Act, refusal: Refusal): Promise<void> {
  const under = await arena();
  const reason = await refused(new Promise((resolve) => resolve(act(under))));
  if (typeof refusal === 'string') {
    expect(reason).toBeInstanceOf(SignalboxError);
    expect(reason).toMatchObject({ code: refusal });
  } else if (typeof refusal === 'function') expect(reason).toBeInstanceOf(refusal);
  else expect(reason).toBe(refusal.is);
  await expectUnharmed(under);
}

/** The action succeeds with the expected result; the data stored before are unchanged. */
export async function accepts(act: Act, expected: unknown): Promise<void> {
  const under = await arena();
  expect(await act(under)).toEqual(expected);
  await expectUnharmed(under);
}
