/** A list whose rows render one by one: a changed field re-renders its row, a new row the list. */
import { createElement, Fragment, memo, useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { isEndpoint } from '../../src/endpoint/isEndpoint.ts';
import { listIn } from '../listIn.ts';
import type { DataIn, Each, IfList, ListIn, RowOf } from '../listIn.ts';
import { rowNames } from '../rowNames.ts';
import { useController } from './Provider.ts';
import { useSource } from './Source.ts';
import type { Source } from './Source.ts';
import { timelineOf } from './Timeline.ts';
import type { Timeline } from './Timeline.ts';
import { sourceOf } from './useEntity.ts';
import { useMembers } from './useSuspense.ts';

interface Drawing<E extends Each, R> {
  /**
   * An endpoint whose data are a list, or an envelope whose schema holds one; or the schema of a list that is there
   * without asking: `new Query(…)`, `new All(Todo)`. Make a schema once, outside of the component.
   */
  readonly each: E;
  /** The first argument; null: an empty list, and nothing is asked. */
  readonly params?: (E extends EndpointInterface ? Parameters<E>[0] : unknown) | null;
  /** Draws the rows from this position on, as Array.slice takes it; default 0. */
  readonly from?: number | undefined;
  /** Draws the rows up to, and without, this position, as Array.slice takes it; default all. */
  readonly to?: number | undefined;
  /** Draws one row from its snapshot; `index`: its position in the list. */
  readonly children: (row: R, index: number) => ReactNode;
}

/** Props of `<For>`: a list with its params, and a function that renders one row. */
export interface ForProps<E extends Each> extends Drawing<E, RowOf<ListIn<E>>> {
  readonly each: E & IfList<E>;
  readonly select?: undefined;
}

/** Props of `<For>` where the data hold several lists, or one further inside. */
export interface ForSelectProps<E extends Each, R> extends Drawing<E, R> {
  /** Names the list in the data. Not for deriving one: it follows rows that come, go and move, and no fields. */
  readonly select: (data: DataIn<E>) => readonly R[] | null | undefined;
}

/** `<For each={getTodos} params={{ userId }}>{todo => <li>{todo.title}</li>}</For>`; suspends as useSuspense does. */
export function For<E extends Each>(props: ForProps<E>): ReactElement;
export function For<E extends Each, R extends object>(props: ForSelectProps<E, R>): ReactElement;
export function For({
  each,
  from = 0,
  to,
  children: draw,
  select,
  ...rest
}: Omit<Drawing<Each, object>, 'children'> & {
  readonly children: RowProps['draw'];
  readonly select?: ((data: never) => unknown) | undefined;
}): ReactElement {
  const controller = useController();
  const args = ('params' in rest ? [rest.params] : []) as readonly [null];
  const reader = isEndpoint(each)
    ? controller.view(each, ...args)
    : controller.query(each, ...args);
  // live rows: their identity stays while their fields change
  const rows = listIn(each, useMembers(controller, reader), select);
  const elementOf = useMemo(() => elementsBy(timelineOf(controller)), [controller]);
  const start = startOf(from, rows.length);
  const turn = {};
  return createElement(
    Fragment,
    null,
    rows.slice(from, to).map((row, at) => elementOf(row, start + at, draw, turn)),
  );
}

/** The position at which `slice(from)` begins. */
function startOf(from: number, length: number): number {
  return from < 0 ? Math.max(length + from, 0) : from;
}

interface RowProps {
  readonly source: Source<object>;
  readonly index: number;
  readonly draw: (row: never, index: number) => ReactNode;
}

/** Where a row stands: one for each time that a list shows it. */
interface Place {
  readonly name: string;
  element?: ReactElement<RowProps>;
  /** The drawing of the list that has used it. */
  turn?: object;
  /** That of the same row further down. */
  again?: Place;
}

/** Elements of rows, kept: React does not look again at the props of one that it knows. */
function elementsBy(
  timeline: Timeline,
): (row: unknown, at: number, draw: RowProps['draw'], turn: object) => ReactElement {
  const known = new WeakMap<object, Place>();
  const nameOf = rowNames();
  return (row, at, draw, turn) => {
    // a row that does not ask for its index does not run when it moves
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
    // its primary key when it was first drawn: a row that was created here gets another later, and stays the same row
    const key = kept?.key ?? `${times},${place.name}`;
    const source = kept?.props.source ?? sourceOf(timeline, row as object);
    return (place.element = createElement(Row, { key, source, index, draw }));
  };
}

/** Subscribes to its entity alone: no context is read, React walks all readers of one when one row of many runs. */
const Row = memo(function Row({ source, index, draw }: RowProps): ReactNode {
  return draw(useSource(source, (held) => held ?? source.first()) as never, index);
});

/** A row that is no entity has only its position. */
const Plain = memo(function Plain({
  row,
  index,
  draw,
}: Omit<RowProps, 'source'> & { readonly row: unknown }): ReactNode {
  return draw(row as never, index);
});
