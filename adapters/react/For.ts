/** A list with separately rendered rows: a changed field re-renders its row, a new row the list. */
import { createElement, Fragment, memo, useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { listIn, readerOfEach, startOf } from '../listIn.ts';
import type { AnyRendering, DataIn, Each, IfList, ListIn, Rendering, RowOf } from '../listIn.ts';
import { rowNames } from '../rowNames.ts';
import { useController } from './Provider.ts';
import { useMutableSource } from './concurrent/MutableSource.ts';
import type { MutableSource } from './concurrent/MutableSource.ts';
import { commitTrackerOf } from './concurrent/CommitTracker.ts';
import type { CommitTracker } from './concurrent/CommitTracker.ts';
import { entitySource } from './useEntity.ts';
import { rowsOnly } from './concurrent/useResult.ts';
import { useSuspendedData } from './useSuspense.ts';

/** Props of `<For>`: a list with its params, and a function that renders one row. */
export interface ForProps<E extends Each> extends Rendering<E, RowOf<ListIn<E>>, ReactNode> {
  readonly each: E & IfList<E>;
  readonly select?: undefined;
}

/** Props of `<For>` for data with several lists, or with a nested list. */
export interface ForSelectProps<E extends Each, R> extends Rendering<E, R, ReactNode> {
  /**
   * Selects the list in the data. It must not derive a list: changes of fields do not run it, only changes of
   * membership.
   */
  readonly select: (data: DataIn<E>) => readonly R[] | null | undefined;
}

/** `<For each={getTodos} params={{ userId }}>{todo => <li>{todo.title}</li>}</For>`; suspends as useSuspense does. */
export function For<E extends Each>(props: ForProps<E>): ReactElement;
export function For<E extends Each, R extends object>(props: ForSelectProps<E, R>): ReactElement;
export function For(props: AnyRendering<ReactNode>): ReactElement {
  const { each, from = 0, to, children: draw, select } = props;
  const controller = useController();
  const reader = readerOfEach(controller, props);
  // live rows: their identity stays while their fields change
  const rows = listIn(each, useSuspendedData(controller, reader, rowsOnly), select);
  const elementOf = useMemo(() => elementsBy(commitTrackerOf(controller)), [controller]);
  const start = startOf(from, rows.length);
  const turn = {};
  return createElement(
    Fragment,
    null,
    rows.slice(from, to).map((row, at) => elementOf(row, start + at, draw, turn)),
  );
}

interface RowProps {
  readonly source: MutableSource<object>;
  readonly index: number;
  readonly draw: (row: never, index: number) => ReactNode;
}

/** The position of a row: one for each time that a list contains the row. */
interface Place {
  readonly name: string;
  element?: ReactElement<RowProps>;
  /** The render of the list that used this place last. */
  turn?: object;
  /** The next position of the same row in the list. */
  again?: Place;
}

/** Caches the elements of rows: React does not compare the props of an unchanged element. */
function elementsBy(
  tracker: CommitTracker,
): (row: unknown, at: number, draw: RowProps['draw'], turn: object) => ReactElement {
  const known = new WeakMap<object, Place>();
  const nameOf = rowNames();
  return (row, at, draw, turn) => {
    // a row function without the index parameter need not run when the row moves
    const index = draw.length > 1 ? at : 0;
    let place = known.get(row as object);
    const name = place === undefined ? nameOf(row) : '';
    if (place === undefined) {
      if (name === undefined) return createElement(Plain, { key: at, row, index, draw });
      known.set(row as object, (place = { name }));
    }
    let times = 0;
    for (; place.turn === turn; times++) place = place.again ??= { name: place.name };
    place.turn = turn;
    const { element: kept } = place;
    if (kept?.props.draw === draw && kept.props.index === index) return kept;
    // the row's first primary key: a row that was created here gets another one later, and keeps its key
    const key = kept?.key ?? `${times},${place.name}`;
    const source = kept?.props.source ?? entitySource(tracker, row as object);
    return (place.element = createElement(Row, { key, source, index, draw }));
  };
}

/** Subscribes to its entity alone. No context is read: React would walk all its readers when one of many rows runs. */
const Row = memo(function Row({ source, index, draw }: RowProps): ReactNode {
  return draw(useMutableSource(source, (value) => value ?? source.initialValue()) as never, index);
});

/** A row that is no entity: only its position identifies it. */
const Plain = memo(function Plain({
  row,
  index,
  draw,
}: Omit<RowProps, 'source'> & { readonly row: unknown }): ReactNode {
  return draw(row as never, index);
});
