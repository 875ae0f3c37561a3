/** How much stays at most, and how long a sweep takes at a time. */
import { Collection, Controller, Endpoint } from 'signalbox';
import type { Clock } from 'signalbox';
import { expect, test } from 'vitest';
import { collected } from '../setup/garbage.ts';
import { Knot, Todo, watch, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

const rows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ id: from + at, title: `t${from + at}` }));

/** Which of these are there. */
function there(w: World, from: number, to: number): number[] {
  return rows(from, to)
    .map(({ id }) => id)
    .filter((id) => w.controller.get(Todo, { id }) !== undefined);
}

test('[I3] entities above `maxEntities` are removed before their time', async () => {
  const w = world({ maxEntities: 100 });
  await w.controller.set([Todo], rows(1, 100));
  w.clock.advance(1_000);
  expect(there(w, 1, 100)).toHaveLength(100);
  await w.controller.set([Todo], rows(101, 150));
  w.clock.advance(1);
  const stay = there(w, 1, 150);
  expect(stay.length).toBeLessThanOrEqual(100);
  expect(stay.length).toBeGreaterThan(75);
});

test('[I3] above `maxEntities` the least recently used entities are removed first', async () => {
  const w = world({ maxEntities: 3 });
  for (const row of rows(1, 3)) await w.controller.set(Todo, row);
  w.controller.get(Todo, { id: 1 });
  await w.controller.set(Todo, { id: 4, title: 't4' });
  w.clock.advance(1);
  expect(there(w, 1, 4)).toEqual([1, 3, 4]);
});

test('[I3] mounted entities are kept above `maxEntities`', async () => {
  const w = world({ maxEntities: 10 });
  const list = w.read('list', new Collection([Todo]), { reply: () => rows(1, 30) });
  await w.controller.fetch(list, {});
  const reader = watch(w.controller.signal(list, {}));
  await w.controller.set([Todo], rows(101, 120));
  w.clock.advance(1);
  expect(reader.last).toHaveLength(30);
  expect(reader.runs).toBe(1);
  expect(there(w, 101, 120)).toEqual([]);
});

test('[I3] above `maxEntities` an unused request is removed with its rows', async () => {
  const w = world({ maxEntities: 10 });
  const list = w.read('list', new Collection([Todo]), {
    reply: ({ page }) => rows(page * 8 + 1, page * 8 + 8),
  });
  await w.controller.fetch(list, { page: 0 });
  await w.controller.fetch(list, { page: 1 });
  w.clock.advance(1);
  expect(w.controller.getResponse(list, { page: 0 }).data).toBeUndefined();
  expect(w.controller.getResponse(list, { page: 1 }).data).toHaveLength(8);
});

test('[I3] sweep() removes all data without readers, expired or not', async () => {
  const w = world();
  await w.controller.set([Todo], rows(1, 20));
  const reader = watch(w.controller.entity(Todo, 5));
  expect(w.controller.sweep()).toBe(1);
  expect([reader.last?.title, reader.runs]).toEqual(['t5', 1]);
});

/** A clock that advances by a millisecond at each read, with timers that a test runs one by one. */
class RushingClock implements Clock {
  #now = 0;
  #timers: { readonly job: () => void; readonly ms: number }[] = [];
  readonly waits: number[] = [];

  now(): number {
    return ++this.#now;
  }
  after(ms: number, job: () => void): unknown {
    const timer = { job, ms };
    this.#timers.push(timer);
    return timer;
  }
  clear(timer: unknown): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }
  pass(ms: number): void {
    this.#now += ms;
  }
  /** The delay of the first waiting timer. */
  get next(): number | undefined {
    return this.#timers[0]?.ms;
  }
  /** Runs the first waiting timer; returns the duration and the timer's delay. */
  run(): { took: number; waited: number } {
    const timer = this.#timers.shift();
    const start = this.#now;
    timer?.job();
    return { took: this.#now - start, waited: timer?.ms ?? Infinity };
  }
}

test('[I3] a sweep runs in slices of at most 4 ms, at least 16 ms apart', async () => {
  const clock = new RushingClock();
  const controller = new Controller({ clock });
  const list = new Endpoint(async () => rows(1, 5_000), {
    name: 'list',
    schema: new Collection([Todo]),
  });
  await controller.fetch(list);
  await collected();
  const slices: ReturnType<RushingClock['run']>[] = [];
  for (let cycle = 0; cycle < 2; cycle++) {
    clock.pass(10 * 60_000);
    do slices.push(clock.run());
    while (clock.next === 16);
  }
  expect(slices.length).toBeGreaterThan(100);
  expect(Math.max(...slices.map(({ took }) => took))).toBeLessThanOrEqual(4);
  expect(Math.min(...slices.map(({ waited }) => waited))).toBeGreaterThanOrEqual(16);
  expect(controller.get(Todo, { id: 5_000 })).toBeUndefined();
});

test('[I3] an entity read during a sweep is kept with its nested entities, or missing', async () => {
  let gone = 0;
  for (let slices = 0; slices < 60; slices++) {
    const clock = new RushingClock();
    const controller = new Controller({ clock });
    const others = rows(10, 200).map(({ id }) => ({ id, label: '', next: null }));
    await controller.set([Knot], [{ id: 2, label: 'a', next: null }, ...others]);
    await controller.set([Knot], [{ id: 1, label: 'a', next: 2 }]);
    clock.pass(10 * 60_000);
    do clock.run();
    while (clock.next === 16);
    clock.pass(10 * 60_000);
    for (let slice = 0; slice < slices; slice++) clock.run();
    const asked = controller.get(Knot, { id: 1 });
    while (clock.next === 16) clock.run();
    await controller.set(Knot, { id: 2 }, { label: 'b' });
    if (asked === undefined) gone++;
    const now = controller.get(Knot, { id: 1 });
    expect([slices, now?.next?.label]).toEqual([slices, asked && 'b']);
  }
  expect(gone).toBeGreaterThan(0);
  expect(gone).toBeLessThan(60);
});

test('[I3] sweep() of a list with 150,000 added rows does not throw while a read is in flight', async () => {
  const w = world();
  const { controller } = w;
  const todos = new Collection([Todo]);
  await controller.set(todos, {}, []);
  void controller.fetch(w.read('slow', Todo), { id: 1 });
  const rows = Array.from({ length: 150_000 }, (_, at) => ({ id: at + 1 }));
  await controller.set(todos.push, {}, rows);
  expect(() => controller.sweep()).not.toThrow();
  expect(controller.get(todos, {})).toHaveLength(150_000);
});
