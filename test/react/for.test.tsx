// <For>: what it is given, and what its rows cost.
import { useEffect, useReducer } from 'react';
import type { ReactElement } from 'react';
import { Collection, Delete, Entity, Query } from 'signalbox';
import { For } from 'signalbox/react';
import { expect, test } from 'vitest';
import { world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { page } from './page.ts';

/** An entity that counts how often it is asked who it is. */
function counted(): {
  Note: typeof Entity & (new () => { id: number; text: string });
  asked: () => number;
} {
  let asked = 0;
  class Note extends Entity {
    id = 0;
    text = '';
    static override key = 'Note';
    override pk(): string {
      asked++;
      return String(this.id);
    }
  }
  return {
    Note,
    asked() {
      const times = asked;
      asked = 0;
      return times;
    },
  };
}

const rows = Array.from({ length: 50 }, (_, at) => ({ id: at + 1, text: `n${at + 10}` }));

interface SortedProps {
  readonly w: World;
  // any: whatever a list is made of
  readonly notes: Query<any, any>;
}

// outside of the test: the React Compiler takes what a component finds around it for constant
function Sorted({ w, notes }: SortedProps): ReactElement {
  w.count('list');
  return (
    <For each={notes} params={{ topic: 1 }}>
      {(note: { id?: number; text?: string }) => {
        w.count(`row ${note.id}`);
        return <p>{note.text}</p>;
      }}
    </For>
  );
}

test('[H3] <For> takes the schema of a list: a row that changes its place is the one that runs', async () => {
  const w = world();
  const { Note } = counted();
  const notes = new Collection([Note]);
  const sorted = new Query(notes, { sort: 'text' });
  const { act, lines } = await page(w, <Sorted w={w} notes={sorted} />);
  expect(lines()).toEqual([]);
  await act(() => w.controller.set(notes, { topic: 1 }, rows.slice(0, 3)));
  expect(lines()).toEqual(['n10', 'n11', 'n12']);
  w.ran();
  await act(() => w.controller.set(Note, { id: 1 }, { id: 1, text: 'n13' }));
  expect(lines()).toEqual(['n11', 'n12', 'n13']);
  expect(w.ran()).toEqual({ 'row 1': 1 });
  await act(() => w.controller.set(new Delete(Note), { id: 2 }, {}));
  expect(lines()).toEqual(['n12', 'n13']);
  expect(w.ran()).toEqual({});
  expect(w.server.log).toEqual([]);
});

test('[H3] a row that comes or goes costs the other rows of <For> nothing', async () => {
  const w = world();
  const { Note, asked } = counted();
  const notes = new Collection([Note]);
  await w.controller.set(notes, { topic: 1 }, rows);
  const { act, lines } = await page(
    w,
    <For each={notes} params={{ topic: 1 }}>
      {(note) => <p>{note.text}</p>}
    </For>,
  );
  expect(lines()).toHaveLength(50);
  asked();
  await act(() => w.controller.set(new Delete(Note), { id: 7 }, {}));
  expect(lines()).toHaveLength(49);
  // only the write asks whom it is about
  expect(asked()).toBeLessThan(3);
});

interface PartProps {
  readonly w: World;
  // any: whatever a list is made of
  readonly notes: Collection<any>;
  readonly from?: number;
  readonly to?: number;
}

function Part({ w, notes, ...part }: PartProps): ReactElement {
  return (
    <For each={notes} params={{ topic: 1 }} {...part}>
      {(note: { id?: number; text?: string }, at) => {
        w.count(`row ${note.id}`);
        return <p>{`${at} ${note.text}`}</p>;
      }}
    </For>
  );
}

test('[H3] <For> draws a part of a list: what stands outside of it runs nothing', async () => {
  const w = world();
  const { Note } = counted();
  const notes = new Collection([Note]);
  await w.controller.set(notes, { topic: 1 }, rows.slice(0, 6));
  const { act, lines } = await page(w, <Part w={w} notes={notes} from={1} to={3} />);
  expect(lines()).toEqual(['1 n11', '2 n12']);
  w.ran();
  await act(() => w.controller.set(Note, { id: 4 }, { id: 4, text: 'other' }));
  expect(w.ran()).toEqual({});
  await act(() => w.controller.set(Note, { id: 3 }, { id: 3, text: 'seen' }));
  expect(lines()).toEqual(['1 n11', '2 seen']);
  expect(w.ran()).toEqual({ 'row 3': 1 });
  await act(() => w.controller.set(new Delete(Note), { id: 1 }, {}));
  expect(lines()).toEqual(['1 seen', '2 other']);
});

test.each([
  [{ from: -2 }, ['4 n14', '5 n15']],
  [{ to: -4 }, ['0 n10', '1 n11']],
  [{ from: -9, to: 1 }, ['0 n10']],
  [{ from: 9 }, []],
])('[H3] the part %j of <For> is that of Array.slice', async (part, drawn) => {
  const w = world();
  const { Note } = counted();
  const notes = new Collection([Note]);
  await w.controller.set(notes, { topic: 1 }, rows.slice(0, 6));
  const { lines } = await page(w, <Part w={w} notes={notes} {...part} />);
  expect(lines()).toEqual(drawn);
});

test('[H3] rows of <For> follow what is drawn: another function draws each anew, an index is the present one', async () => {
  const w = world();
  const { Note } = counted();
  const notes = new Collection([Note]);
  await w.controller.set(notes, { topic: 1 }, rows.slice(0, 2));
  let turn: () => void = () => {};
  const List = (): ReactElement => {
    const [turns, next] = useReducer((n: number) => n + 1, 0);
    useEffect(() => {
      turn = next;
    }, [next]);
    return (
      <For each={notes} params={{ topic: 1 }}>
        {(note, at) => <p>{`${at}${note.text}${turns}`}</p>}
      </For>
    );
  };
  const { act, lines } = await page(w, <List />);
  expect(lines()).toEqual(['0n100', '1n110']);
  await act(() => turn());
  expect(lines()).toEqual(['0n101', '1n111']);
  await act(() => w.controller.set(new Delete(Note), { id: 1 }, {}));
  expect(lines()).toEqual(['0n111']);
});
