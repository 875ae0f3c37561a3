/** The engine benchmark, one sample: plays every scene with one contender in a process of its own; a line of JSON per figure. */
import type { Contender } from './Contender.ts';
import { scenes } from './scenes.ts';
import type { Scene, Stage } from './scenes.ts';

/** From the parent: the contender's module and export, how many rows, and the works that took too long before. */
export interface Order {
  readonly module: string;
  readonly name: string;
  readonly count: number;
  readonly skip: readonly string[];
}

const order = JSON.parse(process.argv[2] as string) as Order;
const loaded = (await import(order.module)) as Record<string, () => Contender>;
const make = loaded[order.name] as () => Contender;
const skip = new Set(order.skip);
/** What the process has worked, in ms: where others share the machine, the clock on the wall measures them. */
const worked = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
/** How long one work is repeated at most, and all of the warming up goes on, in ms. */
const PATIENCE = 200;
const WARM_UP = 1000;
const EACH_SCENE = 400;
const MAX_ROUNDS = 60;

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** Thrown where a work is to be left out on which the rest of its scene builds. */
class Fallen extends Error {}

class Player implements Stage {
  readonly count: number;
  readonly box = make();
  readonly #scene: Scene;
  readonly #measured: boolean;

  constructor(scene: Scene, count: number, measured: boolean) {
    this.#scene = scene;
    this.count = count;
    this.#measured = measured;
  }

  lacks(verb: keyof Contender): boolean {
    return this.box[verb] === undefined;
  }

  async measure(
    work: string,
    times: number,
    call: (at: number) => void,
    runs?: () => number,
  ): Promise<void> {
    if (this.#left(work)) return;
    const { box } = this;
    const before = runs?.() ?? 0;
    const start = worked();
    let calls = 0;
    // asking the clock takes as long as half of the quickest work: only after 1, 2, 4, 8 … calls
    const isOver = () => (calls & (calls - 1)) === 0 && worked() - start >= PATIENCE;
    do {
      call(calls++);
      if (box.settled !== undefined) await box.settled();
    } while (calls < times && !isOver());
    this.#note(work, worked() - start, calls, runs && runs() - before);
  }

  async wait(
    work: string,
    each: number,
    call: () => Promise<unknown>,
    runs?: () => number,
  ): Promise<void> {
    if (this.#left(work)) return;
    const before = runs?.() ?? 0;
    const start = worked();
    await call();
    this.#note(work, worked() - start, each, runs && runs() - before);
  }

  #left(work: string): boolean {
    if (skip.has(work)) {
      if (this.#scene.chained ?? false) throw new Fallen();
      return true;
    }
    say({ at: work, worked: worked() });
    return false;
  }

  #note(work: string, ms: number, calls: number, runs: number | undefined): void {
    if (this.#measured) say({ work, ms: ms / calls, runs: runs && runs / calls });
    say({ at: `${this.#scene.works[0]} …`, worked: worked() });
  }
}

async function play(scene: Scene, count: number, measured: boolean): Promise<void> {
  const prepared = `${scene.works[0]} …`;
  if (skip.has(prepared)) return;
  say({ at: prepared, worked: worked() });
  try {
    await scene.play(new Player(scene, count, measured));
  } catch (error) {
    if (!(error instanceof Fallen)) throw error;
  }
}

/** All scenes with few rows, then with as many as are measured, while there is time. */
const start = worked();
for (const count of [Math.min(order.count, 1000), order.count]) {
  const until = start + WARM_UP * (count === order.count ? 2 : 1);
  for (let round = 0; round < 20 && worked() < until; round++) {
    for (const scene of scenes) if (worked() < until) await play(scene, count, false);
  }
}

/**
 * Each scene again and again, while there is time: on a shared machine one time says little, and quick works are compiled
 * by the engine only after some thousand calls.
 */
for (const scene of scenes) {
  const until = worked() + EACH_SCENE;
  for (let round = 0; round < MAX_ROUNDS && (round === 0 || worked() < until); round++) {
    await play(scene, order.count, true);
  }
}
