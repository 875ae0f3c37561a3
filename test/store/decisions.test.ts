// Entities that decide by themselves what replaces what.
import { Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { watch, world } from '../setup/world.ts';

class Versioned extends Entity {
  id = 0;
  version = 0;
  title = '';
}

/** Later by its own count, whenever it was asked for. */
class Counted extends Versioned {
  static override shouldReorder(_: object, __: object, existing: Versioned, incoming: Versioned) {
    return incoming.version < existing.version;
  }
}

test('[O4] shouldReorder lets an older answer win where its data are later', async () => {
  const w = world();
  const get = w.read('get', Counted);
  const older = w.controller.fetch(get, { id: 1, n: 1 });
  const newer = w.controller.fetch(get, { id: 1, n: 2 });
  await w.call(1).answer({ id: 1, version: 5, title: 'five' });
  await w.call(0).answer({ id: 1, version: 6, title: 'six' });
  await Promise.all([older, newer]);
  expect(w.controller.get(Counted, { id: 1 })).toMatchObject({ version: 6, title: 'six' });
});

test('[O4] shouldReorder keeps later data from what was asked after', async () => {
  const w = world();
  await w.controller.set(Counted, {}, { id: 1, version: 5, title: 'five' });
  const row = watch(w.controller.entity(Counted, 1));
  await w.controller.set(Counted, {}, { id: 1, version: 4, title: 'four' });
  expect(row.seen.map((value) => value?.title)).toEqual(['five']);
});

test('[O4] shouldUpdate that refuses leaves everything as it is', async () => {
  class Final extends Versioned {
    static override shouldUpdate(_: object, __: object, existing: Versioned) {
      return existing.version === 0;
    }
  }
  const w = world();
  await w.controller.set(Final, {}, { id: 1, title: 'draft' });
  await w.controller.set(Final, {}, { id: 1, version: 1, title: 'final' });
  const row = watch(w.controller.entity(Final, 1));
  await w.controller.set(Final, {}, { id: 1, version: 2, title: 'too late' });
  expect(row.seen.map((value) => value?.title)).toEqual(['final']);
});

test('[O4] mergeWithStore sees when both were known, and what it returns is stored', async () => {
  const seen: number[][] = [];
  class Told extends Versioned {
    static override mergeWithStore(
      existingMeta: { fetchedAt: number; expiresAt: number },
      incomingMeta: { fetchedAt: number; expiresAt: number },
      existing: Versioned,
      incoming: Versioned,
    ) {
      seen.push([incomingMeta.fetchedAt - existingMeta.fetchedAt]);
      return { ...existing, ...incoming, title: `${existing.title}, ${incoming.title}` };
    }
  }
  const w = world();
  await w.controller.set(Told, {}, { id: 1, title: 'a' });
  await w.controller.set(Told, {}, { id: 1, title: 'b' });
  expect(w.controller.get(Told, { id: 1 })?.title).toBe('a, b');
  expect(seen).toEqual([[1]]);
});

test('[O4] without a decision of its own an older answer does not win', async () => {
  const w = world();
  const get = w.read('get', Versioned);
  const older = w.controller.fetch(get, { id: 1, n: 1 });
  const newer = w.controller.fetch(get, { id: 1, n: 2 });
  await w.call(1).answer({ id: 1, version: 5, title: 'five' });
  await w.call(0).answer({ id: 1, version: 6, title: 'six' });
  await Promise.all([older, newer]);
  expect(w.controller.get(Versioned, { id: 1 })?.title).toBe('five');
});
