// Entity classes that decide by themselves which write replaces which.
import { Entity } from 'signalbox';
import type { OptimisticSnapshot } from 'signalbox';
import { expect, test } from 'vitest';
import { watch, world } from '../setup/world.ts';

class Versioned extends Entity {
  id = 0;
  version = 0;
  title = '';
}

/** Ordered by `version`, regardless of the time of the request. */
class Counted extends Versioned {
  static override shouldReorder(_: object, __: object, existing: Versioned, incoming: Versioned) {
    return incoming.version < existing.version;
  }
}

test('[O4] with shouldReorder by version, the response of an older request with a later version is stored', async () => {
  const w = world();
  const get = w.read('get', Counted);
  const older = w.controller.fetch(get, { id: 1, n: 1 });
  const newer = w.controller.fetch(get, { id: 1, n: 2 });
  await w.call(1).answer({ id: 1, version: 5, title: 'five' });
  await w.call(0).answer({ id: 1, version: 6, title: 'six' });
  await Promise.all([older, newer]);
  expect(w.controller.get(Counted, { id: 1 })).toMatchObject({ version: 6, title: 'six' });
});

test('[O4] with shouldReorder by version, a write with an earlier version changes nothing', async () => {
  const w = world();
  await w.controller.set(Counted, {}, { id: 1, version: 5, title: 'five' });
  const row = watch(w.controller.entity(Counted, 1));
  await w.controller.set(Counted, {}, { id: 1, version: 4, title: 'four' });
  expect(row.seen.map((value) => value?.title)).toEqual(['five']);
});

test('[O4] shouldUpdate that returns false keeps the stored entity and notifies no reader', async () => {
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

test('[O4] mergeWithStore receives the times of both values, and its result is stored', async () => {
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

test('[O4] without shouldReorder the response of an older request does not replace later data', async () => {
  const w = world();
  const get = w.read('get', Versioned);
  const older = w.controller.fetch(get, { id: 1, n: 1 });
  const newer = w.controller.fetch(get, { id: 1, n: 2 });
  await w.call(1).answer({ id: 1, version: 5, title: 'five' });
  await w.call(0).answer({ id: 1, version: 6, title: 'six' });
  await Promise.all([older, newer]);
  expect(w.controller.get(Versioned, { id: 1 })?.title).toBe('five');
});

test('[O4] with shouldReorder by version, the latest optimistic change is shown, confirmed in any order', async () => {
  const w = world();
  await w.controller.set(Counted, {}, { id: 1, version: 1, title: '1' });
  const raise = w.mutation('raise', Counted, {
    getOptimisticResponse(snapshot: OptimisticSnapshot, { version }: { version: number }) {
      const title = String(Number(snapshot.get(Counted, { id: 1 })?.title) + 1);
      return { id: 1, version, title };
    },
  });
  const row = watch(w.controller.entity(Counted, 1));
  const calls = [2, 3, 4].map((version) => w.controller.fetch(raise, { version }, {}));
  await w.call(2).answer({ id: 1, version: 4, title: '4' });
  await w.call(0).answer({ id: 1, version: 2, title: '2' });
  await w.call(1).answer({ id: 1, version: 3, title: '3' });
  await Promise.all(calls);
  expect(row.seen.map((value) => value?.title)).toEqual(['1', '2', '3', '4']);
});

test('[O4] with shouldUpdate that returns true, an optimistic change stays above a response issued later', async () => {
  class Timed extends Versioned {
    static override shouldUpdate() {
      return true;
    }
  }
  const w = world();
  const get = w.read('get', Timed);
  const update = w.mutation('update', Timed, {
    getOptimisticResponse: (_: unknown, body: object) => body,
  });
  await w.controller.set(Timed, {}, { id: 1, version: 1, title: 'old' });
  void w.controller.fetch(update, { id: 1, title: 'mine' });
  void w.controller.fetch(get, { id: 1 });
  await w.call().answer({ id: 1, version: 2, title: 'theirs' });
  expect(w.controller.get(Timed, { id: 1 })).toMatchObject({ version: 2, title: 'mine' });
});
