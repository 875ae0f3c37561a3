// Values computed from the signal of useSignalQuery follow the hook's arguments.
import { useComputed, useSignalEffect, useSignals } from '@preact/signals-react/runtime';
import type { ReadonlySignal } from '@preact/signals-react';
import { memo, StrictMode, useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { useSignalQuery } from 'signalbox/react/signals';
import { world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { page } from './page.ts';

type Id = number | null;

interface Props {
  readonly w: World;
  readonly id: Id;
}

const paramsOf = (id: Id) => (id === null ? null : { id });

/** Mounts `App` with an id; `show` shows another id. */
async function pageOf(w: World, App: (props: Props) => ReactElement, first: Id) {
  let show: (id: Id) => void = () => {};
  function Root(): ReactElement {
    const [id, setId] = useState(first);
    useEffect(() => {
      show = setId;
    }, []);
    return <App w={w} id={id} />;
  }
  const { act, lines } = await page(
    w,
    <StrictMode>
      <Root />
    </StrictMode>,
  );
  return { act, lines, show: (id: Id) => act(() => show(id)) };
}

const Value = memo(function Value({ of }: { of: ReadonlySignal<string> }): ReactElement {
  'use no memo';
  useSignals();
  return <p>{of.value}</p>;
});

/** Computes in a child, which gets the signal as a prop. */
const Child = memo(function Child({
  of,
}: {
  of: ReadonlySignal<{ data?: unknown }>;
}): ReactElement {
  const title = useComputed(
    () => (of.value.data as { title: string } | undefined)?.title ?? 'none',
  );
  return <p>{title}</p>;
});

test('[V5] useComputed and useSignalEffect follow useSignalQuery to other, null and pending arguments', async () => {
  const w = world({ size: 3 });
  const effects: unknown[] = [];
  function App({ w, id }: Props): ReactElement {
    const todo = useSignalQuery(w.getTodo, paramsOf(id));
    const title = useComputed(() => todo.value.data?.title ?? 'none');
    useSignalEffect(() => void effects.push(todo.value.data?.title ?? 'none'));
    return (
      <>
        <p>{title}</p>
        <Value of={title} />
        <Child of={todo} />
      </>
    );
  }
  const { act, lines, show } = await pageOf(w, App, 1);
  const all = async (text: string) => {
    await expect.poll(lines).toEqual([text, text, text]);
  };
  await all('t1');
  await show(2);
  await all('t2');
  await show(null);
  await all('none');
  w.server.hold();
  await show(3);
  await all('none');
  await show(1);
  await all('t1');
  await expect.poll(() => effects.at(-1)).toBe('t1');
  await show(3);
  await act(() => w.server.release());
  await all('t3');
  await act(() => w.controller.set(w.Todo, { id: 3 }, { title: 'new' }));
  await all('new');
  await expect.poll(() => effects.at(-1)).toBe('new');
});

test('[V5] a render reads from useSignalQuery only values of its own arguments', async () => {
  const w = world({ size: 2 });
  await Promise.all([1, 2].map((id) => w.controller.fetch(w.getTodo, { id })));
  const seen = new Set<string>();
  function App({ w, id }: Props): ReactElement {
    'use no memo';
    useSignals();
    const { data } = useSignalQuery(w.getTodo, paramsOf(id)).value;
    seen.add(`${id}: ${data?.title}`);
    return <p>{data?.title}</p>;
  }
  const { lines, show } = await pageOf(w, App, 1);
  await show(2);
  await show(1);
  expect(lines()).toEqual(['t1']);
  expect([...seen]).toEqual(['1: t1', '2: t2']);
});
