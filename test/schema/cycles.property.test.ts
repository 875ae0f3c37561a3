/** Entities that require each other in circles, written and deleted at random, against the largest set that is whole. */
import { effect } from '@preact/signals-core';
import * as fc from 'fast-check';
import { Collection, Controller, Delete, Endpoint, Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { runs } from '../laws/runs.ts';

/** Incomplete without `need`; shown without `other`, and with the complete rows of `list`. */
class Knot extends Entity {
  id = 0;
  need: Knot | 'none' = 'none';
  other: Knot | null = null;
  list: Knot[] = [];
  static override get schema(): Readonly<Record<string, unknown>> {
    return { need: Knot, other: Knot, list: [Knot] };
  }
}

const IDS = [1, 2, 3, 4, 5];
const id = fc.constantFrom(...IDS);
const knot = fc.record(
  { id, need: id, other: id, list: fc.array(id, { maxLength: 3 }) },
  { requiredKeys: ['id'] },
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ how: fc.constant('set' as const), knot }) },
  {
    weight: 2,
    arbitrary: fc.record({
      how: fc.constant('answer' as const),
      knots: fc.array(knot, { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ how: fc.constant('delete' as const), id }) },
  { weight: 1, arbitrary: fc.record({ how: fc.constant('watch' as const), id }) },
  { weight: 1, arbitrary: fc.constant({ how: 'watch all' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Fields = { id: number; need?: number; other?: number; list?: number[] };

class Model {
  readonly #knots = new Map<number, Fields>();
  listed: readonly number[] = [];

  set(fields: Fields): void {
    this.#knots.set(fields.id, { ...this.#knots.get(fields.id), ...fields });
  }

  delete(id: number): void {
    this.#knots.delete(id);
    this.listed = this.listed.filter((one) => one !== id);
  }

  isWhole(id: number | undefined, above: readonly number[] = []): boolean {
    const knot = this.#knots.get(id as number);
    if (id === undefined || knot === undefined) return false;
    return above.includes(id) || this.isWhole(knot.need, [...above, id]);
  }

  text(id: number): string {
    if (!this.isWhole(id)) return 'nothing';
    const { need, other, list = [] } = this.#knots.get(id) as Fields;
    const members = list.filter((one) => this.isWhole(one));
    return `${id} ${need} ${this.isWhole(other) ? other : null} [${members.join()}]`;
  }
}

function textOf(knot: Knot | undefined): string {
  if (knot === undefined) return 'nothing';
  const { id, need, other, list } = knot;
  return `${id} ${(need as Knot).id} ${other && other.id} [${list.map((one) => one.id).join()}]`;
}

const all = new Endpoint((): Promise<never> => new Promise(() => {}), {
  name: 'all',
  schema: new Collection([Knot]),
});

class Stage {
  readonly controller = new Controller();
  readonly model = new Model();
  /** The values last read, and the expected values. */
  readonly watched: { seen: unknown; readonly expected: () => unknown }[] = [];

  play(one: Step): void {
    const { controller, model } = this;
    if (one.how === 'set') {
      model.set(one.knot);
      void controller.set(Knot, { id: one.knot.id }, one.knot);
    } else if (one.how === 'answer') {
      for (const fields of one.knots) model.set(fields);
      model.listed = [...new Set(one.knots.map((fields) => fields.id))];
      void controller.setResponse(all, one.knots);
    } else if (one.how === 'delete') {
      model.delete(one.id);
      void controller.set(new Delete(Knot), { id: one.id }, {});
    } else if (one.how === 'watch') {
      const knot = controller.entity(Knot, one.id);
      this.#watch(
        () => textOf(knot.value),
        () => model.text(one.id),
      );
    } else {
      const list = controller.signal(all);
      this.#watch(() => list.value?.map(textOf), this.listed);
    }
  }

  readonly listed = (): unknown => {
    const { data } = this.controller.getResponse(all);
    return (
      data && this.model.listed.map((id) => this.model.text(id)).filter((t) => t !== 'nothing')
    );
  };

  #watch(look: () => unknown, expected: () => unknown): void {
    const one = { seen: undefined as unknown, expected };
    effect(() => void (one.seen = look()));
    this.watched.push(one);
  }
}

test('[N11] entities that require each other in cycles are readable exactly if no required entity is missing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const stage = new Stage();
      const { controller, model, watched } = stage;
      for (const one of steps) {
        stage.play(one);
        expect(watched.map(({ seen }) => seen)).toEqual(watched.map(({ expected }) => expected()));
      }
      const texts = IDS.map((id) => textOf(controller.get(Knot, { id })));
      expect(texts).toEqual(IDS.map((id) => model.text(id)));
      expect(controller.getResponse(all).data?.map(textOf)).toEqual(stage.listed());
    }),
    runs(),
  );
});

test('[N11] each entity that requires an incomplete entity is undefined, also if built first within a cycle', () => {
  const { controller } = new Stage();
  void controller.set(Knot, { id: 5 }, { id: 5, need: 4, other: 1 });
  void controller.set(Knot, { id: 1 }, { id: 1, list: [1, 4] });
  void controller.set(Knot, { id: 3 }, { id: 3 });
  // 5 needs 4, and 4 needs 3; 3 lists 5 and lacks a required member
  void controller.setResponse(all, [
    { id: 3, list: [5] },
    { id: 4, need: 3 },
  ]);
  expect(IDS.map((id) => textOf(controller.get(Knot, { id })))).toEqual(IDS.map(() => 'nothing'));
});
