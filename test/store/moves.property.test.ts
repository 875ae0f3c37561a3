// Random moves of rows between lists, and reads of these lists, answered in any order, against a model.
import * as fc from 'fast-check';
import { Collection, Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { refusal, refused, settled, world } from '../setup/world.ts';
import type { Call } from '../setup/world.ts';
import { runs } from '../laws/runs.ts';

class Row extends Entity {
  id = 0;
  team = '';
}

const teams = ['red', 'blue', 'green'];
type Step =
  | { readonly read: string }
  | { readonly move: number; readonly to: string; readonly how: 'plain' | 'optimistic' | 'refused' }
  | { readonly answer: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ read: fc.constantFrom(...teams) }),
  fc.record({
    move: fc.constantFrom(1, 2),
    to: fc.constantFrom(...teams),
    how: fc.constantFrom('plain', 'optimistic', 'refused'),
  }),
  fc.record({ answer: fc.nat(9) }),
);

/** The team of a row, and the issue time of the move that set the team. */
interface Place {
  readonly team: string;
  readonly issued: number;
}

/** A request in flight, and the effect of the response. */
interface Flight {
  /** The optimistic value of a move. */
  readonly expects?: readonly [row: number, place: Place];
  answer(): Promise<unknown>;
}

class Teams {
  readonly #w = world();
  readonly #rows = new Collection([Row]);
  readonly #list = this.#w.read('list', this.#rows);
  readonly #move = this.#w.mutation('move', this.#rows.move);
  readonly #optimistic = this.#w.mutation('move', this.#rows.move, {
    getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
  });
  readonly #places = new Map<number, Place>([
    [1, { team: 'red', issued: 0 }],
    [2, { team: 'blue', issued: 0 }],
  ]);
  readonly #read = new Set<string>();
  readonly flights: Flight[] = [];

  async start(isWarm: boolean): Promise<void> {
    await this.#w.controller.set(
      [Row],
      teams.flatMap((team) => this.#rowsOf(team)),
    );
    if (!isWarm) return;
    for (const team of teams) {
      await this.#w.controller.setResponse(this.#list, { team }, this.#rowsOf(team));
      this.#read.add(team);
    }
  }

  #rowsOf(team: string, places: ReadonlyMap<number, Place> = this.#places) {
    return [...places].filter(([, place]) => place.team === team).map(([id]) => ({ id, team }));
  }

  read(team: string): void {
    const { controller, calls } = this.#w;
    const before = calls.length;
    const done = controller.fetch(this.#list, { team });
    // a request that is already in flight is joined
    if (calls.length === before) return;
    const rows = this.#rowsOf(team);
    const call = this.#w.call();
    const answer = async () => (await call.answer(rows), await done, this.#read.add(team));
    this.flights.push({ answer });
  }

  move(id: number, team: string, how: 'plain' | 'optimistic' | 'refused'): void {
    const place = { team, issued: this.#w.calls.length + 1 };
    const endpoint = how === 'plain' ? this.#move : this.#optimistic;
    const done = this.#w.controller.fetch(endpoint, { id }, { team });
    const call = this.#w.call();
    const answer = how === 'refused' ? this.#refuse(call, done) : this.#confirm(call, id, place);
    this.flights.push({ answer, ...(how !== 'plain' && { expects: [id, place] as const }) });
  }

  #refuse(call: Call, done: Promise<unknown>): Flight['answer'] {
    const failed = refused(done);
    return async () => (await call.fail(refusal(422)), failed);
  }

  #confirm(call: Call, id: number, place: Place): Flight['answer'] {
    return () => {
      if (place.issued > (this.#places.get(id)?.issued ?? 0)) this.#places.set(id, place);
      return call.answer({ id, team: place.team });
    };
  }

  async answer(at: number): Promise<void> {
    const [flight] = this.flights.splice(at % this.flights.length, 1);
    await flight?.answer();
    await settled();
  }

  /** The rows of each list that was read: as shown, and by the model. */
  get compared() {
    const places = new Map(this.#places);
    for (const { expects: [id, place] = [] } of this.flights)
      if (id && place && place.issued > (places.get(id)?.issued ?? 0)) places.set(id, place);
    const read = [...this.#read];
    const shown = read.map((team) => this.#w.controller.get(this.#rows, { team }) ?? []);
    const expected = read.map((team) => this.#rowsOf(team, places));
    const sorted = (lists: readonly (readonly { readonly id: number }[])[]) =>
      lists.map((rows, at) => [read[at], ...rows.map(({ id }) => id).sort((a, b) => a - b)]);
    return { shown: sorted(shown), expected: sorted(expected) };
  }
}

test('[O4] rows are in the lists of their latest move, regardless of reads in flight', async () => {
  const program = fc.array(step, { maxLength: 14, size: 'max' });
  await fc.assert(
    fc.asyncProperty(program, fc.boolean(), async (steps, isWarm) => {
      const played = new Teams();
      await played.start(isWarm);
      for (const one of [...steps, ...steps.map(() => ({ answer: 0 }))]) {
        if ('read' in one) played.read(one.read);
        else if ('move' in one) played.move(one.move, one.to, one.how);
        else if (played.flights.length > 0) await played.answer(one.answer);
        const { shown, expected } = played.compared;
        expect(shown).toEqual(expected);
      }
    }),
    runs(2),
  );
});
