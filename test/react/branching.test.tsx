// Writes of a transition that is pending, beside urgent ones: React renders the urgent ones without the others first.
import { startTransition, StrictMode, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Entity } from 'signalbox';
import { For, useCache, useEntity, useQuery, useSuspense } from 'signalbox/react';
import { afterEach, describe, expect, test } from 'vitest';
import { line, world } from '../contract/world.ts';
import type { Todo, World } from '../contract/world.ts';
import { page } from './page.ts';

afterEach(() => document.body.replaceChildren());

interface Props {
  readonly w: World;
}

const first = { id: 1 };
const hooks = {
  useQuery: ({ w }: Props) => <Title todo={useQuery(w.Todo, first) as Todo} />,
  useSuspense: ({ w }: Props) => <Title todo={useSuspense(w.getTodo, first)} />,
  useCache: ({ w }: Props) => <Title todo={useCache(w.getTodo, first) as Todo} />,
  useEntity: ({ w }: Props) => <Title todo={useEntity(w.controller.get(w.Todo, first) as Todo)} />,
  For: ({ w }: Props) => (
    <For each={w.getList} params={{}} to={1}>
      {(todo) => <Title todo={todo} />}
    </For>
  ),
};

const seen = new Set<string>();
const screen = (): string[] => [...document.querySelectorAll('li')].map((li) => li.textContent);

function Title({ todo }: { readonly todo: Todo }): ReactElement {
  const look = () => void seen.add([...new Set(screen())].join('|'));
  useLayoutEffect(look);
  useEffect(look);
  return <li>{`${todo.title}, ${todo.done}`}</li>;
}

/** Holds transitions open in which the second todo is invalidated. */
function Other({ w }: Props): ReactElement {
  return <p>{useSuspense(w.getTodo, { id: 2 }).title}</p>;
}

async function opened(w: World, app: (more: boolean) => ReactNode) {
  await w.controller.fetch(w.getList, {});
  await w.controller.fetch(w.getTodo, first);
  const drawn = (more: boolean): ReactElement => (
    <Suspense fallback={<i>loading</i>}>
      {app(more)}
      <Other w={w} />
    </Suspense>
  );
  const { act, draw } = await page(w, drawn(false));
  w.server.hold();
  seen.clear();
  return {
    act,
    more: () => draw(drawn(true)),
    pending: (write: () => void) =>
      act(() =>
        startTransition(() => {
          write();
          w.controller.invalidate(w.getTodo, { id: 2 });
        }),
      ),
    end: () => act(() => w.server.release()),
  };
}

const exclaim = ({ title }: Todo): Partial<Todo> => ({ title: `${title}!` });
const ask = ({ title }: Todo): Partial<Todo> => ({ title: `${title}?` });

describe.each(Object.keys(hooks) as (keyof typeof hooks)[])('%s', (name) => {
  const Reader = hooks[name];
  const all = Object.values(hooks);

  test('[H8] an updater function applies to the shown value, and to the pending value when the transition ends', async () => {
    const w = world({ size: 3 });
    const { act, pending, end } = await opened(w, () => <Reader w={w} />);
    await pending(() => void w.controller.set(w.Todo, first, exclaim));
    expect(screen()).toEqual(['t1, false']);
    await act(() => w.controller.set(w.Todo, first, ask));
    expect(screen()).toEqual(['t1?, false']);
    await end();
    expect(screen()).toEqual(['t1!?, false']);
  });

  test('[H8] an urgent set of one field does not show another field that a pending transition has set', async () => {
    const w = world({ size: 3 });
    const { act, pending, end } = await opened(w, () => <Reader w={w} />);
    await pending(() => void w.controller.set(w.Todo, first, { title: 'new' }));
    await act(() => w.controller.set(w.Todo, first, { done: true }));
    expect(screen()).toEqual(['t1, true']);
    await end();
    expect(screen()).toEqual(['new, true']);
  });

  test('[H8] a reader mounted urgently during a transition shows the same values as the mounted readers', async () => {
    const w = world({ size: 3 });
    const { act, pending, more, end } = await opened(w, (open) => (
      <>
        {all.map((Hook, at) => (
          <Hook key={at} w={w} />
        ))}
        {open && <Reader w={w} />}
      </>
    ));
    await pending(() => void w.controller.set(w.Todo, first, exclaim));
    await act(() => w.controller.set(w.Todo, first, ask));
    await more();
    expect(new Set(screen())).toEqual(new Set(['t1?, false']));
    await act(() => w.controller.set(w.Todo, first, { done: true }));
    expect(new Set(screen())).toEqual(new Set(['t1?, true']));
    await end();
    expect(screen()).toHaveLength(6);
    expect(new Set(screen())).toEqual(new Set(['t1!?, true']));
    expect([...seen].filter((shown) => shown.includes('|'))).toEqual([]);
  });

  test('[H8] a reader mounted in the transition of a write shows the write together with the mounted readers', async () => {
    const w = world({ size: 3 });
    const { act, more } = await opened(w, (open) => (
      <>
        {open && <Reader w={w} />}
        {all.map((Hook, at) => (
          <Hook key={at} w={w} />
        ))}
      </>
    ));
    await act(() =>
      startTransition(() => {
        void w.controller.set(w.Todo, first, exclaim);
        void more();
      }),
    );
    expect(screen()).toHaveLength(6);
    expect([...seen]).toEqual(['t1!, false']);
  });
});

describe.each(Object.keys(hooks) as (keyof typeof hooks)[])('%s beside another hook', (name) => {
  const Reader = hooks[name];
  // the first reader of its kind: no other component has recorded the writes
  const Other = name === 'useQuery' ? hooks.useSuspense : hooks.useQuery;

  test.each([
    ['', (reader: ReactNode) => reader],
    [' in StrictMode', (reader: ReactNode) => <StrictMode>{reader}</StrictMode>],
  ])(
    '[H8] the first reader of a kind, mounted urgently during a transition%s, shows the same values as other hooks',
    async (_, around) => {
      const w = world({ size: 3 });
      const { act, pending, more, end } = await opened(w, (open) => (
        <>
          <Other w={w} />
          {open && around(<Reader w={w} />)}
        </>
      ));
      await pending(() => void w.controller.set(w.Todo, first, exclaim));
      await act(() => w.controller.set(w.Todo, first, ask));
      await more();
      expect(screen()).toEqual(['t1?, false', 't1?, false']);
      await act(() => w.controller.set(w.Todo, first, { done: true }));
      expect(screen()).toEqual(['t1?, true', 't1?, true']);
      await end();
      expect(screen()).toEqual(['t1!?, true', 't1!?, true']);
      expect([...seen].filter((shown) => shown.includes('|'))).toEqual([]);
    },
  );

  test('[H8] a reader that mounts during a transition shows the writes of the transition, also if another write follows at once', async () => {
    const w = world({ size: 3 });
    const press = { open: (): void => {} };
    function Late(): ReactNode {
      const [open, setOpen] = useState(false);
      press.open = () => setOpen(true);
      return open && <Reader w={w} />;
    }
    const { act, pending, end } = await opened(w, () => (
      <>
        <Reader w={w} />
        <Late />
      </>
    ));
    await pending(() => void w.controller.set(w.Todo, first, { title: 'new' }));
    await act(() => {
      flushSync(press.open);
      startTransition(() => void w.controller.set(w.Todo, first, { done: true }));
    });
    expect(screen()).toEqual(['t1, false', 't1, false']);
    await end();
    expect(screen()).toEqual(['new, true', 'new, true']);
  });
});

describe('values', () => {
  class Person extends Entity {
    id = 0;
    name = '';
    born = new Date(0);
    friend: Person | null = null;
    static override key = 'Person';
    static override schema: Record<string, unknown> = { born: (date: number) => new Date(date) };
  }
  Person.schema['friend'] = Person;
  const text = ({ name, born }: Person): string => `${name} ${born.getUTCFullYear()}`;
  const born = (year: number): { born: number } => ({ born: Date.UTC(year) });

  function Friends(): ReactElement {
    const person = useQuery(Person, first) as unknown as Person;
    return (
      <li>
        {[person, person.friend, person.friend?.friend].map((each) => text(each as Person)).join()}
      </li>
    );
  }

  test('[H8] an urgent write is shown without a pending write if entities refer to each other in a cycle', async () => {
    const w = world();
    const friends = { id: 1, name: 'a', friend: { id: 2, name: 'b', friend: { id: 1 } } };
    await w.controller.set(Person, first, friends as never);
    const { act, pending, end } = await opened(w, () => <Friends />);
    await pending(() => void w.controller.set(Person, { id: 2 }, { name: 'B' } as never));
    await act(() => w.controller.set(Person, first, { name: 'A' } as never));
    expect(screen()).toEqual(['A 1970,b 1970,A 1970']);
    await end();
    expect(screen()).toEqual(['A 1970,B 1970,A 1970']);
  });

  test('[H8] an urgent write of a date is shown beside a pending write of the same date', async () => {
    const w = world();
    const friend = { id: 2, friend: { id: 1 } };
    await w.controller.set(Person, first, { id: 1, name: 'a', friend } as never);
    const { act, pending, end } = await opened(w, () => <Friends />);
    await pending(() => void w.controller.set(Person, first, born(1980) as never));
    await act(() => w.controller.set(Person, first, born(1990) as never));
    expect(screen()).toEqual(['a 1990, 1970,a 1990']);
    await end();
    expect(screen()).toEqual(['a 1990, 1970,a 1990']);
  });

  test('[H8] an urgent write of an entity does not change the entity that a pending write replaces', async () => {
    const w = world({ size: 3 });
    const { act, pending, end } = await opened(w, () => <Author w={w} />);
    function Author({ w: { getTodo } }: Props): ReactElement {
      return <li>{line(useSuspense(getTodo, first))}</li>;
    }
    const author = { id: 2, name: 'bob' };
    await pending(() => void w.controller.set(w.Todo, first, { author }));
    await act(() => w.controller.set(w.User, { id: 2 }, { name: 'eve' }));
    expect(screen()).toEqual(['t1 by ada']);
    await end();
    expect(screen()).toEqual(['t1 by eve']);
  });
});

describe('lists', () => {
  const titles = (): string[] => screen().map((text) => text.replace(/,.*/, ''));
  const List = ({ w }: Props): ReactElement => (
    <>
      {useSuspense(w.getList, {}).map((todo) => (
        <Title key={todo.id} todo={todo} />
      ))}
    </>
  );
  const Rows = ({ w }: Props): ReactElement => (
    <For each={w.getList} params={{}}>
      {(todo) => <Title todo={todo} />}
    </For>
  );

  test.each([
    ['useSuspense', List],
    ['For', Rows],
  ] as const)(
    '[H8] %s: rows that a pending transition adds or removes change only when the transition ends',
    async (_, Reader) => {
      const w = world({ size: 3 });
      const { act, pending, end } = await opened(w, () => <Reader w={w} />);
      const rows = [1, 3, 9].map((id) => ({ id, userId: 1, title: id === 9 ? 'added' : `t${id}` }));
      await pending(() => void w.controller.setResponse(w.getList, {}, rows));
      expect(titles()).toEqual(['t1', 't2', 't3']);
      await act(() => w.controller.set(w.Todo, first, ask));
      expect(titles()).toEqual(['t1?', 't2', 't3']);
      await end();
      expect(titles()).toEqual(['t1?', 't3', 'added']);
    },
  );

  const own = { userId: 1 };
  const redraw = { press: (): void => {} };
  /** Renders again by a state of its own, without the provider. */
  function useRedraw(): void {
    const [, setCount] = useState(0);
    redraw.press = () => setCount((count) => count + 1);
  }
  const ownLists = {
    useSuspense: ({ w }: Props) => {
      useRedraw();
      return useSuspense(w.getList, own).map((todo) => <Title key={todo.id} todo={todo} />);
    },
    useCache: ({ w }: Props) => {
      useRedraw();
      const todos = useCache(w.getList, own) as readonly Todo[] | undefined;
      return todos?.map((todo) => <Title key={todo.id} todo={todo} />);
    },
    For: ({ w }: Props) => {
      useRedraw();
      return (
        <For each={w.getList} params={own}>
          {(todo) => <Title todo={todo} />}
        </For>
      );
    },
  };
  const Fourth = ({ w }: Props): ReactElement => (
    <Title todo={useQuery(w.Todo, { id: 4 }) as Todo} />
  );
  const exclaimed = (w: World): void => {
    void w.controller.set(w.Todo, first, exclaim);
    void w.controller.set(w.Todo, { id: 4 }, exclaim);
  };
  const ids = [1, 3].map((id) => ({ id, userId: 1 }));

  test('[H8] a response with a row that a pending transition has changed shows the row as the other readers do', async () => {
    const w = world({ size: 4 });
    const Detail = hooks.useSuspense;
    const { act, pending, end } = await opened(w, () => (
      <>
        <Detail w={w} />
        <ownLists.useCache w={w} />
      </>
    ));
    await pending(() => exclaimed(w));
    await act(() => w.controller.setResponse(w.getList, own, ids));
    expect(titles()).toEqual(['t1', 't1', 't3']);
    await act(() => w.controller.set(w.Todo, first, ask));
    expect(titles()).toEqual(['t1?', 't1?', 't3']);
    await end();
    expect(titles()).toEqual(['t1!?', 't1!?', 't3']);
  });

  test('[H8] a list that a pending transition has loaded shows its rows as the other readers do, if the component renders again', async () => {
    const w = world({ size: 4 });
    const Detail = hooks.useSuspense;
    const { act, pending, end } = await opened(w, () => (
      <>
        <Detail w={w} />
        <ownLists.useCache w={w} />
      </>
    ));
    await pending(() => {
      void w.controller.setResponse(w.getList, own, ids);
      exclaimed(w);
    });
    await act(() => flushSync(redraw.press));
    expect(new Set(titles())).not.toContain('t1!');
    await end();
    expect(titles()).toEqual(['t1!', 't1!', 't3']);
  });

  test.each(Object.keys(ownLists) as (keyof typeof ownLists)[])(
    '[H8] %s: a row that an urgent write moves into a list shows no change of a pending transition',
    async (name) => {
      const w = world({ size: 4 });
      const List = ownLists[name];
      await w.controller.fetch(w.getList, own);
      const { act, pending, end } = await opened(w, () => (
        <>
          <List w={w} />
          <Fourth w={w} />
        </>
      ));
      await pending(() => exclaimed(w));
      Object.assign(w.server.row(1) as object, { title: 't1!' });
      Object.assign(w.server.row(4) as object, { title: 't4!', userId: 1 });
      await act(() => w.controller.set(w.Todo, { id: 4 }, { userId: 1 }));
      expect(titles().sort()).toEqual(['t1', 't3', 't4', 't4']);
      await act(() => flushSync(redraw.press));
      expect(titles().sort()).toEqual(['t1', 't3', 't4', 't4']);
      await end();
      expect(titles().sort()).toEqual(['t1!', 't3', 't4!', 't4!']);
    },
  );
});
