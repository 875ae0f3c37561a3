// <For>: the arguments, and the cost of rows.
import { Suspense, useEffect, useReducer, useState } from 'react';
import type { ReactElement } from 'react';
import { All, Collection, Delete, Endpoint, Entity, Query, Union } from 'signalbox';
import { For } from 'signalbox/react';
import { expect, test, vi } from 'vitest';
import { world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { page } from './page.ts';

/** An entity that counts the calls of pk(). */
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

// outside of the test: the React Compiler treats variables around a component as constant
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

test('[H3] <For> over a sorted Query re-renders only the row that changes its place', async () => {
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

test('[H3] a deleted row causes no call of pk() for the other rows of <For>', async () => {
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
  // only the write calls pk()
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

test('[H3] <For> with `from` and `to` renders a range, and rows outside of the range cause no render', async () => {
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
])('[H3] `from` and `to` of <For> select rows like Array.slice: %j', async (part, drawn) => {
  const w = world();
  const { Note } = counted();
  const notes = new Collection([Note]);
  await w.controller.set(notes, { topic: 1 }, rows.slice(0, 6));
  const { lines } = await page(w, <Part w={w} notes={notes} {...part} />);
  expect(lines()).toEqual(drawn);
});

test('[H3] a new row function re-renders each row of <For>, and the index is the present position', async () => {
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

/** Each row in the state of the mount. */
let mounted = 0;
function Numbered({ text }: { readonly text: string }): ReactElement {
  const [number] = useState(() => ++mounted);
  return <p>{`${text} ${number}`}</p>;
}

class Post extends Entity {
  id = 0;
  type = 'post';
  text = '';
}
class Remark extends Entity {
  id = 0;
  type = 'remark';
  text = '';
}
const feed = new Collection([new Union({ post: Post, remark: Remark }, 'type')]);
const [post1, remark1, remark2] = [
  { id: 1, type: 'post', text: 'post 1' },
  { id: 1, type: 'remark', text: 'remark 1' },
  { id: 2, type: 'remark', text: 'remark 2' },
];

test('[H1] <For> keeps the state of rows of two classes with the same primary key', async () => {
  const w = world();
  const warned = vi.spyOn(console, 'error').mockImplementation(() => {});
  const show = (list: object[]) => w.controller.set(feed, {}, list);
  await show([post1, remark1, remark2]);
  mounted = 0;
  const { act, lines } = await page(
    w,
    <For each={feed} params={{}}>
      {(row) => <Numbered text={row.text} />}
    </For>,
  );
  expect(lines()).toEqual(['post 1 1', 'remark 1 2', 'remark 2 3']);
  await act(() => show([remark1, remark2, post1]));
  expect(lines()).toEqual(['remark 1 2', 'remark 2 3', 'post 1 1']);
  await act(() => show([remark2]));
  expect(lines()).toEqual(['remark 2 3']);
  await act(() => show([]));
  expect(lines()).toEqual([]);
  expect(warned).not.toHaveBeenCalled();
});

test('[H1] <For> renders a row as often as the list contains the row', async () => {
  const w = world();
  const warned = vi.spyOn(console, 'error').mockImplementation(() => {});
  let answer = ['a', 'b', 'a', 'a'];
  const ids = ['', 'a', 'b'];
  const getNotes = new Endpoint(
    async () => answer.map((text) => ({ id: ids.indexOf(text), text })),
    {
      name: 'getNotes',
      schema: [Post],
    },
  );
  mounted = 0;
  const { act, lines } = await page(
    w,
    <Suspense>
      <For each={getNotes}>{(row, at) => <Numbered text={`${at}${row.text}`} />}</For>
    </Suspense>,
  );
  expect(lines()).toEqual(['0a 1', '1b 2', '2a 3', '3a 4']);
  answer = ['b', 'a', 'a'];
  await act(() => w.controller.fetch(getNotes));
  expect(lines()).toEqual(['0b 2', '1a 1', '2a 3']);
  answer = ['b'];
  await act(() => w.controller.fetch(getNotes));
  expect(lines()).toEqual(['0b 2']);
  expect(warned).not.toHaveBeenCalled();
});

test('[H1] <For> renders rows that are not entities by their position', async () => {
  const w = world();
  const names = new Query(new All(Post), (posts) => posts.map(({ text }) => ({ name: text })));
  const getWords = new Endpoint(async () => ['x', null, { pk: 5 }], { name: 'getWords' });
  await w.controller.set(Post, { id: 1 }, post1);
  const { act, lines } = await page(
    w,
    <Suspense>
      <For each={names}>{(row: { name: string }) => <p>{row.name}</p>}</For>
      <For each={getWords as Endpoint<() => Promise<object[]>>}>
        {(row, at) => <p>{`${at}${JSON.stringify(row)}`}</p>}
      </For>
    </Suspense>,
  );
  expect(lines()).toEqual(['post 1', '0"x"', '1null', '2{"pk":5}']);
  await act(() => w.controller.set(Post, { id: 2 }, { id: 2, text: 'post 2' }));
  await act(() => w.controller.set(Post, { id: 1 }, { id: 1, text: 'other' }));
  expect(lines()).toEqual(['other', 'post 2', '0"x"', '1null', '2{"pk":5}']);
});
