/** A list with separately rendered rows: a changed field re-renders its row, a new row the list. */
import { Fragment, h } from 'preact';
import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { checkSignalsCopy } from '../FrameworkHooks.ts';
import { listIn, readerOfEach, startOf } from '../listIn.ts';
import type { AnyRendering, DataIn, Each, IfList, ListIn, Rendering, RowOf } from '../listIn.ts';
import { rowNames } from '../rowNames.ts';
import { useController } from './Provider.ts';
import { useSuspendedReader } from './useQueryHandle.ts';

/** Props of `<For>`: a list with its params, and a function that renders one row. */
export interface ForProps<E extends Each> extends Rendering<
  E,
  RowOf<ListIn<E>>,
  ComponentChildren
> {
  readonly each: E & IfList<E>;
  readonly select?: undefined;
}

/** Props of `<For>` for data with several lists, or with a nested list. */
export interface ForSelectProps<E extends Each, R> extends Rendering<E, R, ComponentChildren> {
  /** Names the list in the data. */
  readonly select: (data: DataIn<E>) => readonly R[] | null | undefined;
}

/**
 * `<For each={getTodos} params={{ userId }}>{todo => <li>{todo.title}</li>}</For>`; suspends as useSuspense does. A row
 * keeps its identity and its DOM when the server assigns another primary key.
 */
// any: the props of a vnode are invariant
export function For<E extends Each>(props: ForProps<E>): VNode<any>;
export function For<E extends Each, R extends object>(props: ForSelectProps<E, R>): VNode<any>; // any: as above
export function For(props: AnyRendering<ComponentChildren>): VNode {
  const { each, from = 0, to, children: draw, select } = props;
  checkSignalsCopy('@preact/signals');
  const controller = useController('For');
  const reader = readerOfEach(controller, props);
  const rows = listIn(each, useSuspendedReader(reader).value.data, select);
  const vnodeOf = useMemo(() => vnodesBy(), []);
  const start = startOf(from, rows.length);
  const turn = {};
  return h(
    Fragment,
    null,
    rows.slice(from, to).map((row, at) => vnodeOf(row, start + at, draw, turn)),
  );
}

interface RowProps {
  readonly row: unknown;
  readonly index: number;
  readonly draw: (row: never, index: number) => ComponentChildren;
}

/** The position of a row: one for each time that a list contains the row. */
interface Place {
  /** The row's first primary key: a row that was created here gets another one later, and keeps this name. */
  readonly name: string;
  // any: the props of a vnode are invariant
  vnode?: VNode<any>;
  /** The render of the list that used this place last. */
  turn?: object;
  /** The next position of the same row in the list. */
  again?: Place;
}

/** Caches the vnodes of rows: Preact does not render an unchanged vnode again. */
function vnodesBy() {
  const known = new WeakMap<object, Place>();
  const nameOf = rowNames();
  // any: as above
  return (row: unknown, at: number, draw: RowProps['draw'], turn: object): VNode<any> => {
    // a row function without the index parameter need not run when the row moves
    const index = draw.length > 1 ? at : 0;
    let place = known.get(row as object);
    const name = place === undefined ? nameOf(row) : '';
    if (place === undefined) {
      if (name === undefined) return h(Row, { key: at, row, index, draw });
      known.set(row as object, (place = { name }));
    }
    let times = 0;
    for (; place.turn === turn; times++) place = place.again ??= { name: place.name };
    place.turn = turn;
    const kept = place.vnode;
    if (kept?.props.draw === draw && kept?.props.index === index) return kept;
    return (place.vnode = h(Row, { key: `${times},${place.name}`, row, index, draw }));
  };
}

function Row({ row, index, draw }: RowProps): VNode {
  return h(Fragment, null, draw(row as never, index));
}
