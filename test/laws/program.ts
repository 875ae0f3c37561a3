/** Programs: lists of steps as plain data, a player of programs, and generators of random programs. */
import * as fc from 'fast-check';
import type { IndependentModels } from './independentModels.ts';
import { Simulation } from './simulation.ts';

type VerbOf<T> = {
  [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never;
}[keyof T];
type IndependentVerb = Exclude<VerbOf<IndependentModels>, 'reset'>;
type Verb = Exclude<VerbOf<Simulation>, 'heard' | 'faults' | 'end'> | IndependentVerb;
/** A verb of the simulation with the arguments. */
export type Step = {
  [V in Verb]: readonly [
    V,
    ...Parameters<
      V extends IndependentVerb ? IndependentModels[V] : Simulation[V & keyof Simulation]
    >,
  ];
}[Verb];

/**
 * Plays the steps, then the remaining responses in the order that `next` chooses; returns the faults of the first bad
 * step.
 */
export async function play(
  steps: readonly Step[],
  next: (pending: number) => number = () => 0,
): Promise<readonly string[]> {
  const simulation = new Simulation();
  process.on('unhandledRejection', simulation.heard);
  try {
    for (const [verb, ...args] of steps) {
      const does: object = verb in simulation ? simulation : simulation.independent;
      await Reflect.apply(Reflect.get(does, verb) as () => unknown, does, args);
      const faults = await simulation.faults();
      if (faults.length > 0) return faults;
    }
    while (simulation.pending > 0) {
      await simulation.answer(next(simulation.pending));
      const faults = await simulation.faults();
      if (faults.length > 0) return faults;
    }
    return simulation.end();
  } finally {
    simulation.end();
    process.off('unhandledRejection', simulation.heard);
  }
}

// ids repeat, so that steps meet on the same rows
const id = fc.constantFrom(1, 2, 2, 2, 2, 3, 4, 4, 5, 6, 7);
const given = fc.constantFrom(1, 2, 3, 4, 4, 4, 5, 6);
const key = fc.constantFrom(
  'all',
  'all',
  'x',
  'x',
  'page',
  'search',
  'new',
  'xz',
  'xz',
  'tagged',
  'newY',
);
const address = fc.constantFrom('rows', 'rows', 'newest');
const kind = fc.constantFrom('x', 'y');
const field = fc.constantFrom('a', 'b', 'n', 'kind', 'kind', 'tags');
const manner = fc.constantFrom(
  'plain',
  'optimistic',
  'optimistic',
  'refused',
  'optimistic, refused',
);
const refused = fc.constantFrom(false, false, false, true);
const coin = fc.constantFrom('1', '2', '3', '4');
const coins = fc.oneof(
  fc.record({ k: coin }),
  fc.record({ l: coin }),
  fc.record({ k: coin, l: coin }),
);
const ending = fc.constantFrom(
  ...(['answer', 'answer', 'answer', 'answer'] as const),
  ...(['fail', 'empty', 'abort', 'partial', 'partial'] as const),
);
// standing, until errors expire, until data do, a day, and back
const ms = fc.constantFrom(0, 1_001, 4_000, 60_001, 86_400_000, -5_000);
const step = <V extends Verb>(verb: V, ...args: unknown[]): fc.Arbitrary<Step> =>
  fc.tuple(fc.constant(verb), ...(args as fc.Arbitrary<unknown>[])) as fc.Arbitrary<never>;

const asks = [
  step('readRow', id, fc.boolean()),
  step('readList', key),
  step('update', id, field, manner),
  step('bump', id, manner),
  step('star', id, fc.constantFrom(0, 1), manner),
  step('create', kind, manner, address),
  step('createAs', given, kind, manner),
  step('remove', id, manner),
  step('updateNew', field, manner),
  step('removeNew', manner),
];
// apart from rows and their lists, and from each other
const independentSteps = [
  step('readPosts'),
  step('readCount'),
  step('more', refused),
  step('readBeads'),
  step('addBead', refused),
  step('readMap'),
  step('createProject', fc.boolean(), refused),
  step('addTask', fc.nat(3), refused),
  step('assign', coins, refused, fc.boolean()),
  step('readScore'),
  step('raise', fc.nat(9), refused),
  step('changePost', fc.nat(5), fc.constantFrom('title', 'slug', 'slug', 'both'), fc.boolean()),
];
/** A request. */
export const ask: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.oneof(...asks) },
  { weight: 1, arbitrary: fc.oneof(...independentSteps) },
);
export const anything: fc.Arbitrary<Step> = fc.oneof(
  { weight: 16, arbitrary: ask },
  { weight: 14, arbitrary: step('answer', fc.nat(20), ending) },
  { weight: 3, arbitrary: step('set', id, field) },
  { weight: 1, arbitrary: step('both', id, id, fc.boolean()) },
  { weight: 2, arbitrary: step('invalidate', fc.oneof(id, key)) },
  { weight: 1, arbitrary: step('expire') },
  { weight: 4, arbitrary: step('mount', fc.oneof(id, key)) },
  { weight: 1, arbitrary: step('wait', ms) },
  { weight: 1, arbitrary: step('sweep') },
  { weight: 1, arbitrary: step('reset') },
);
