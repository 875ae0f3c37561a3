/** Entity classes and records with functions that throw in the middle of a response. */
import { Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { Article, Knot, Todo, User } from '../setup/world.ts';
import { oops, refuses, thorny, throwing } from './arena.ts';
import type { Act, Refusal } from './arena.ts';

const cut = { id: 900, name: 'half' };
class Picky extends Entity {
  id = 0;
  title = '';
  static override validate(record: { bad?: boolean }): string | undefined {
    return record.bad === true ? 'bad' : undefined;
  }
}
const spoiled = (statics: object) => Object.assign(class extends Knot {}, statics);
const only = (test: (input: any) => boolean, otherwise: (input: any) => unknown = (x) => x) => {
  return (input: any) => (test(input) ? throwing() : otherwise(input));
};
const second = only(({ id }) => id === 901);
const pair = [{ id: 900 }, { id: 901 }];
const own = { is: oops };

test.each<[string, Act, Refusal]>([
  [
    '[N10] validate rejects the second row',
    (a) => a.answer({ u: User, k: [Picky] }, { u: cut, k: [{ id: 1 }, { id: 2, bad: true }] }),
    'S6',
  ],
  [
    '[N10] validate throws',
    (a) => a.answer({ u: User, k: spoiled({ validate: throwing }) }, { u: cut, k: { id: 1 } }),
    own,
  ],
  [
    '[N10] validate throws at the second row',
    (a) => a.answer({ u: User, k: [spoiled({ validate: second })] }, { u: cut, k: pair }),
    Error,
  ],
  [
    '[N10] process throws',
    (a) => a.answer({ u: User, k: spoiled({ process: throwing }) }, { u: cut, k: { id: 1 } }),
    own,
  ],
  [
    '[N10] process throws at the second row',
    (a) => a.answer({ u: User, k: [spoiled({ process: second })] }, { u: cut, k: pair }),
    own,
  ],
  [
    '[N10] process returns a string',
    (a) => a.answer({ u: User, k: spoiled({ process: () => 'x' }) }, { u: cut, k: { id: 1 } }),
    'S2',
  ],
  [
    '[N10] process returns null',
    (a) => a.answer({ u: User, k: spoiled({ process: () => null }) }, { u: cut, k: { id: 1 } }),
    'S2',
  ],
  [
    '[N10] process returns an array',
    (a) => a.answer({ u: User, k: spoiled({ process: () => [] }) }, { u: cut, k: { id: 1 } }),
    'S2',
  ],
  [
    '[N3] pk throws',
    (a) => a.answer({ u: User, k: spoiled({ pk: throwing }) }, { u: cut, k: { id: 1 } }),
    own,
  ],
  [
    '[N3] pk throws at the second row',
    (a) => a.answer({ u: User, k: [spoiled({ pk: second })] }, { u: cut, k: pair }),
    Error,
  ],
  [
    '[N9] merge throws',
    async (a) => {
      const Spoiled = spoiled({ merge: throwing });
      await a.answer(Spoiled, { id: 900 });
      return a.answer({ u: User, k: Spoiled }, { u: cut, k: { id: 900 } }, { n: 2 });
    },
    own,
  ],
  [
    '[N9] merge returns undefined',
    async (a) => {
      const Spoiled = spoiled({ merge: () => undefined });
      await a.answer(Spoiled, { id: 900 });
      return a.answer({ u: User, k: Spoiled }, { u: cut, k: { id: 900 } }, { n: 2 });
    },
    Error,
  ],
  [
    '[N10] a field`s getter throws',
    (a) =>
      a.answer(
        [User],
        [
          cut,
          {
            id: 901,
            get name() {
              return throwing();
            },
          },
        ],
      ),
    own,
  ],
  [
    '[N10] an unknown field`s getter throws',
    (a) =>
      a.answer(
        [User],
        [
          cut,
          {
            id: 901,
            get other() {
              return throwing();
            },
          },
        ],
      ),
    own,
  ],
  [
    '[N10] a nested member`s getter throws',
    (a) =>
      a.answer(
        { u: User, t: Todo },
        {
          u: cut,
          t: {
            id: 901,
            get author() {
              return throwing();
            },
          },
        },
      ),
    own,
  ],
  [
    '[N10] the id`s getter throws',
    (a) =>
      a.answer(
        [User],
        [
          cut,
          {
            get id() {
              return throwing();
            },
          },
        ],
      ),
    own,
  ],
  [
    '[N10] a row is a Proxy that throws on each access',
    (a) => a.answer([User], [cut, thorny()]),
    own,
  ],
  [
    '[N10] a row throws when its members are listed',
    (a) => a.answer([User], [cut, new Proxy({ id: 901 }, { ownKeys: throwing })]),
    own,
  ],
  [
    '[N10] the list is a Proxy that throws on each access',
    (a) => a.answer([User], thorny([])),
    own,
  ],
  [
    '[N10] a constructor throws at the third instance',
    async (a) => {
      let made = 0;
      class Tired extends Entity {
        id = 0;
        constructor() {
          super();
          if (++made > 2) throwing();
        }
      }
      await a.answer([Tired], [{ id: 900 }]);
      return a.answer({ u: User, k: [Tired] }, { u: cut, k: pair }, { n: 2 });
    },
    own,
  ],
  [
    '[N10] a constructor always throws',
    (a) =>
      a.answer(
        {
          u: User,
          k: [
            class extends Entity {
              id = throwing();
            },
          ],
        },
        { u: cut, k: pair },
      ),
    own,
  ],
  [
    '[N10] a constructor freezes its instance',
    (a) =>
      a.answer(
        {
          u: User,
          k: [
            class extends Entity {
              id = 0;
              constructor() {
                super();
                Object.freeze(this);
              }
            },
          ],
        },
        { u: cut, k: pair },
      ),
    Error,
  ],
  [
    '[N10] a setter of the class throws',
    (a) =>
      a.answer(
        {
          u: User,
          k: [
            class extends Entity {
              id = 0;
              set label(_: string) {
                throwing();
              }
            },
          ],
        },
        { u: cut, k: [{ id: 1, label: 'x' }] },
      ),
    own,
  ],
  ['[N6] a required member is missing', (a) => a.answer(Article, { id: 950, title: 'x' }), 'F2'],
])('%s: the request rejects, and nothing is stored', (_, act, refusal) =>
  expect(refuses(act, refusal)).resolves.toBe(undefined),
);
