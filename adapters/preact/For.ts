/** A list with separately rendered rows: a changed field re-renders the row, a new row the list. */
import { checkSignalsCopy } from '../FrameworkHooks.ts';
import { createRowCache, listIn, readerOfEach, startIndexOf } from '../listIn.ts';
import type {
  AnyRendering,
  DataIn,
  Each,
  IfList,
  ListIn,
  Rendering,
  RowOf,
  RowProps,
} from '../listIn.ts';
import { useController } from './Provider.ts';
import { useSuspendedReader } from './useQueryHandle.ts';
import { Fragment, h } from 'preact';
import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';

/** Props of `<For>`: a list with params, and a function that renders a row. */
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
 * keeps its identity and DOM when the server assigns another primary key.
 */
// any: the props of a vnode are invariant
export function For<E extends Each>(props: ForProps<E>): VNode<any>;
export function For<E extends Each, R extends object>(props: ForSelectProps<E, R>): VNode<any>; // any: as above
export function For(props: AnyRendering<ComponentChildren>): VNode {
  const { each, from = 0, to, children: render, select } = props;
  checkSignalsCopy('@preact/signals');
  const controller = useController('For');
  const reader = readerOfEach(controller, props);
  const rows = listIn(each, useSuspendedReader(reader).value.data, select);
  const vnodeOf = useMemo(() => createRowCache<ComponentChildren, VNode<any>>(createRow), []); // any: as above
  const start = startIndexOf(from, rows.length);
  const pass = {};
  return h(
    Fragment,
    null,
    rows.slice(from, to).map((row, at) => vnodeOf(row, start + at, render, pass)),
  );
}

// any: the props of a vnode are invariant
const createRow = (props: RowProps<ComponentChildren>): VNode<any> => h(Row, props);

function Row({ row, index, render }: RowProps<ComponentChildren>): VNode {
  return h(Fragment, null, render(row as never, index));
}
