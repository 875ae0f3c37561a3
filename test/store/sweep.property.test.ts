/** Random programs under a garbage collector that runs all the time: readers of data never notice a collection. */
import { effect } from '@preact/signals-core';
import * as fc from 'fast-check';
import { All, Collection, Controller, Delete, live } from 'signalbox';
import type { Clock } from 'signalbox';
import { expect, test } from 'vitest';
import { runs } from '../laws/runs.ts';
import { collected } from '../setup/garbage.ts';
import { Knot } from '../setup/world.ts';

/** Each call of the clock takes so long that a slice of the sweep does a single unit of work; timers run separately. */
class HurriedClock implements Clock {
  #now = 0;
  #jobs: (() => void)[] = [];

  now(): number {
    return (this.#now += 10);
  }
  after(_ms: number, job: () => void): unknown {
    this.#jobs.push(job);
    return job;
  }
  clear(timer: unknown): void {
    this.#jobs = this.#jobs.filter((job) => job !== timer);
  }
  /** A slice of the sweep. */
  slice(): void {
    this.#jobs.shift()?.();
  }
}

const COUNT = 120;
const knots = new Collection([Knot]);
const all = new All(Knot);
const id = fc.integer({ min: 1, max: COUNT });

/** A chain from `from` on, complete: the result does not depend on earlier data. */
function chain(from: number, length: number, label: string): object {
  const next = length > 1 ? chain((from % COUNT) + 1, length - 1, label) : null;
  return { id: from, label, next };
}

const length = fc.integer({ min: 1, max: 40 });
const label = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('chain' as const), id, length, label }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('list' as const), id, length, label }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('mount' as const), id, length, label }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('mountList' as const), id, length, label }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unmount' as const), id, length, label }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), id, length, label }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('sweep' as const), id, length, label }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Reader {
  runs: number;
  last: string;
  readonly stop: () => void;
}

/** A chain as the reader sees the chain. */
function outline(knot: Knot | null | undefined, depth = 0): string {
  if (knot === null || knot === undefined || depth > 60) return '.';
  return `${knot.id}${knot.label} ${outline(knot.next, depth + 1)}`;
}

class Program {
  readonly controller: Controller;
  readonly readers: Reader[] = [];

  constructor(clock: Clock, sweepAfter: number) {
    this.controller = new Controller({ clock, sweepAfter, dataExpiryLength: 0 });
  }

  play({ do: what, id: at, length: long, label: text }: Step): void {
    const { controller } = this;
    const written = chain(at, long, text);
    if (what === 'chain' || what === 'mount') void controller.set(Knot, written);
    const rows = Array.from({ length: long }, (_, n) => chain(((at + n) % COUNT) + 1, 2, text));
    if (what === 'list' || what === 'mountList') void controller.set(knots, { at: at % 3 }, rows);
    if (what === 'delete') void controller.set(new Delete(Knot), { id: at }, {});
    if (what === 'mount') {
      const signal = controller.entity(Knot, at);
      if (at % 2 === 0) this.#mount(() => outline(signal.value));
      else this.#mount(() => outline(live(controller, Knot, at)));
    }
    if (what === 'mountList') {
      const signal = controller.query(knots, { at: at % 3 }).result;
      this.#mount(() => (signal.value.data ?? []).map((row) => outline(row)).join('; '));
    }
    if (what === 'unmount') this.readers.splice(at % (this.readers.length + 1), 1)[0]?.stop();
  }

  #mount(look: () => string): void {
    const reader = { runs: 0, last: '' };
    const stop = effect(() => {
      reader.last = look();
      reader.runs++;
    });
    this.readers.push(Object.assign(reader, { stop }));
  }

  get shown(): object[] {
    return this.readers.map(({ runs: ran, last }) => ({ ran, last }));
  }
}

const steps = fc.array(step, { minLength: 5, maxLength: 60 });

test('[I3] a sweep changes no value of a mounted reader, and runs no reader', () => {
  fc.assert(
    fc.property(steps, (program) => {
      const clock = new HurriedClock();
      const swept = new Program(clock, 64);
      const kept = new Program(new HurriedClock(), Infinity);
      for (const one of program) {
        swept.play(one);
        kept.play(one);
        const before = swept.shown;
        for (let slice = 0; slice < one.id % 4; slice++) clock.slice();
        if (one.do === 'sweep' && one.id % 3 === 0) swept.controller.sweep();
        expect(swept.shown).toEqual(before);
        expect(swept.shown).toEqual(kept.shown);
      }
    }),
    runs(0.5),
  );
});

test('[I3] after all readers have stopped and their time is over, a sweep leaves no data', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (program) => {
      const clock = new HurriedClock();
      const swept = new Program(clock, 64);
      void swept.controller.get(all);
      for (const one of program) {
        swept.play(one);
        clock.slice();
      }
      for (const { stop } of swept.readers.splice(0)) stop();
      let left = Infinity;
      // the engine may hold objects of the last executed code until a later turn
      for (let turn = 0; turn < 10 && left > 0; turn++) {
        await collected(2);
        for (let slice = 0; slice < 400; slice++) clock.slice();
        left = swept.controller.sweep();
      }
      expect(left).toBe(0);
    }),
    runs(0.1),
  );
});
