/** A user that many rows show, changed at random while rows are read, watched and assigned to other users. */
import { effect } from '@preact/signals-core';
import * as fc from 'fast-check';
import { Controller, Delete, Entity, live as liveOf } from 'signalbox';
import { expect, test } from 'vitest';
import { runs } from '../laws/runs.ts';
import { User } from '../setup/samples.ts';

/** Shown without the user, too. */
class Loose extends Entity {
  id = 0;
  user: User | null = null;
  static override schema = { user: User };
}

/** Incomplete without the user. */
class Strict extends Entity {
  id = 0;
  user: User = User.fromJS();
  static override schema = { user: User };
}

type RowClass = typeof Loose | typeof Strict;

const ROWS = 40;
const id = fc.integer({ min: 1, max: ROWS });
const user = fc.integer({ min: 1, max: 2 });
const name = fc.constantFrom('a', 'b', 'c');
const Class = fc.constantFrom<RowClass>(Loose, Strict);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ how: fc.constant('rename' as const), user, name }) },
  { weight: 4, arbitrary: fc.record({ how: fc.constant('read' as const), Class, id }) },
  { weight: 3, arbitrary: fc.record({ how: fc.constant('watch' as const), Class, id }) },
  { weight: 3, arbitrary: fc.record({ how: fc.constant('watch live' as const), Class, id }) },
  { weight: 2, arbitrary: fc.record({ how: fc.constant('leave' as const), at: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ how: fc.constant('turn' as const), Class, id, user }) },
  { weight: 1, arbitrary: fc.record({ how: fc.constant('delete' as const), user }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The name of the user that a row shows; null: no user; undefined: there is no row. */
function nameIn(row: Loose | Strict | undefined): unknown {
  return row && (row.user === null ? null : row.user.name);
}

/** A reader of a row. */
class Watch {
  seen: unknown;
  runs = 0;
  readonly expected: () => unknown;
  readonly stop: () => void;

  constructor(look: () => unknown, expected: () => unknown) {
    this.expected = expected;
    this.stop = effect(() => {
      this.seen = look();
      this.runs++;
    });
  }
}

class Stage {
  readonly controller = new Controller();
  watches: readonly Watch[] = [];
  /** By reads without a watch. */
  readonly seen: unknown[] = [];
  readonly expected: unknown[] = [];
  readonly #names = new Map([[1, 'a']]);
  readonly #users = new Map<string, number>();

  constructor() {
    for (let id = 1; id <= ROWS; id++) {
      for (const Class of [Loose, Strict]) {
        this.#turn(Class, id, 1);
        // a user knows the rows of the same response
        this.read(Class, id);
      }
    }
  }

  read(Class: RowClass, id: number): void {
    this.seen.push(nameIn(this.controller.get(Class, { id })));
    this.expected.push(this.#expected(Class, id));
  }

  play(one: Step): void {
    if (one.how === 'rename') this.#rename(one.user, one.name);
    else if (one.how === 'turn') this.#turn(one.Class, one.id, one.user);
    else if (one.how === 'delete') this.#delete(one.user);
    else if (one.how === 'leave') this.#leave(one.at);
    else if (one.how === 'watch') this.#watch(one.Class, one.id);
    else if (one.how === 'watch live') this.#watchLive(one.Class, one.id);
    else this.read(one.Class, one.id);
  }

  #rename(id: number, name: string): void {
    this.#names.set(id, name);
    void this.controller.set(User, { id }, { id, name });
  }

  #turn(Class: RowClass, id: number, user: number): void {
    const name = this.#names.get(user) ?? 'a';
    this.#names.set(user, name);
    this.#users.set(`${Class.name} ${id}`, user);
    void this.controller.set(Class, { id }, { id, user: { id: user, name } });
  }

  #delete(id: number): void {
    this.#names.delete(id);
    void this.controller.set(new Delete(User), { id }, {});
  }

  #leave(at: number): void {
    const gone = this.watches[at];
    gone?.stop();
    this.watches = this.watches.filter((watch) => watch !== gone);
  }

  #watch(Class: RowClass, id: number): void {
    const row = this.controller.entity<RowClass>(Class, id);
    this.#come(
      () => nameIn(row.value),
      () => this.#expected(Class, id),
    );
  }

  #watchLive(Class: RowClass, id: number): void {
    const live = liveOf(this.controller, Class, id);
    // an incomplete member reads as the default
    const none = Class === Strict ? '' : undefined;
    this.#come(
      () => live.user?.name,
      () => this.#expected(Class, id) ?? none,
    );
  }

  #come(look: () => unknown, expected: () => unknown): void {
    this.watches = [...this.watches, new Watch(look, expected)];
  }

  #expected(Class: RowClass, id: number): unknown {
    const name = this.#names.get(this.#users.get(`${Class.name} ${id}`) as number);
    return name ?? (Class === Loose ? null : undefined);
  }
}

test('[V4] a changed user of many rows notifies only the readers of these rows', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const stage = new Stage();
      for (const one of steps) {
        const { watches } = stage;
        const before = watches.map(({ seen, runs }) => ({ seen, runs }));
        stage.play(one);
        const stay = watches.filter((watch) => stage.watches.includes(watch));
        expect(stay.map(({ seen }) => seen)).toEqual(stay.map(({ expected }) => expected()));
        const woken = watches.filter(({ runs }, at) => runs > (before[at]?.runs as number));
        const changed = watches.filter(({ seen }, at) => seen !== before[at]?.seen);
        // a row that shows another user of the same name is another
        expect(one.how === 'turn' ? changed : woken).toEqual(changed);
      }
      expect(stage.seen).toEqual(stage.expected);
      for (const { stop } of stage.watches) stop();
    }),
    runs(),
  );
});
