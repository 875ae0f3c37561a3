/** A list whose rows run one by one: a changed field runs its row, a new row the list. */
import { createElement, Fragment, memo, useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { DataOf } from '../../src/Controller.ts';
import { DEV, SignalboxError } from '../../src/diagnostics.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { isEndpoint } from '../../src/endpoint/isEndpoint.ts';
import type { Denormalized, Schema } from '../../src/schema/schema.ts';
import { recordOf } from '../../src/live/LiveObject.ts';
import { useController } from './Provider.ts';
import { useSyncExternalStore } from './react.ts';
import { sourceOf } from './useEntity.ts';
import type { Source } from './useEntity.ts';
import { useMembers } from './useSuspense.ts';

type ListOf<E> = E extends EndpointInterface
  ? DataOf<E>
  : E extends Schema
    ? Denormalized<E>
    : never;
type RowOf<E> = ListOf<E> extends readonly (infer Row extends object)[] ? Row : never;

/** Refuses what is known to be no list: an envelope, a map, one entity. */
type IfList<E> = [unknown] extends [ListOf<E>]
  ? unknown
  : [ListOf<E>] extends [readonly unknown[] | null | undefined]
    ? unknown
    : { readonly each: 'it is no list' };

/** Props of `<For>`: a list with its params, and what draws one row. */
export interface ForProps<E extends EndpointInterface | Schema> {
  /**
   * An endpoint, or the schema of a list that is there without asking: `new Query(…)`, `new All(Todo)`. Make a schema
   * once, outside of the component.
   */
  readonly each: E & IfList<E>;
  /** The first argument; null: an empty list, and nothing is asked. */
  readonly params?: (E extends EndpointInterface ? Parameters<E>[0] : unknown) | null;
  /** Draws the rows from this position on, as Array.slice takes it; default 0. */
  readonly from?: number | undefined;
  /** Draws the rows up to, and without, this position, as Array.slice takes it; default all. */
  readonly to?: number | undefined;
  /** Draws one row from its snapshot; `index`: its position in the list. */
  readonly children: (row: RowOf<E>, index: number) => ReactNode;
}

const NONE: readonly unknown[] = [];

/** `<For each={getTodos} params={{ userId }}>{todo => <li>{todo.title}</li>}</For>`; suspends as useSuspense does. */
export function For<E extends EndpointInterface | Schema>(props: ForProps<E>): ReactElement {
  const { each, from = 0, to, children: draw } = props;
  const controller = useController();
  const args = ('params' in props ? [props.params] : []) as readonly [null];
  const reader = isEndpoint(each)
    ? controller.view(each, ...args)
    : controller.query(each, ...args);
  // live rows: their identity stays while their fields change
  const rows = (useMembers(reader) ?? NONE) as readonly unknown[];
  if (DEV && !Array.isArray(rows)) throw new SignalboxError('A6', { value: rows });
  const elementOf = useMemo(() => elementsBy(), []);
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
  element?: ReactElement<RowProps>;
  /** The drawing of the list that has used it. */
  turn?: object;
  /** That of the same row further down. */
  again?: Place;
}

/** Elements of rows, kept: React does not look again at the props of one that it knows. */
function elementsBy(): (
  row: unknown,
  at: number,
  draw: RowProps['draw'],
  turn: object,
) => ReactElement {
  const known = new WeakMap<object, Place>();
  const classes: unknown[] = [];
  const nameOf = (row: Keyed): string => {
    const { kind, pk } = recordOf(row) ?? { kind: { Class: row.constructor }, pk: row.pk() };
    if (!classes.includes(kind.Class)) classes.push(kind.Class);
    return `${classes.indexOf(kind.Class)},${pk}`;
  };
  return (row, at, draw, turn) => {
    // a row that does not ask for its index does not run when it moves
    const index = draw.length > 1 ? at : 0;
    let place = known.get(row as Keyed);
    if (place === undefined) {
      if (!isKeyed(row)) return createElement(Plain, { key: at, row, index, draw });
      known.set(row, (place = {}));
    }
    let times = 0;
    for (; place.turn === turn; times++) place = place.again ??= {};
    place.turn = turn;
    const { element: kept } = place;
    if (kept?.props.draw === draw && kept.props.index === index) return kept;
    // its primary key when it was first drawn: a row that was created here gets another later, and stays the same row.
    // Not the live row itself: that is another one when what a server rendered is hydrated
    const key = kept?.key ?? `${times},${nameOf(row as Keyed)}`;
    const source = kept?.props.source ?? sourceOf(row as object);
    return (place.element = createElement(Row, { key, source, index, draw }));
  };
}

interface Keyed {
  pk(): string | number | undefined;
}

const isKeyed = (row: unknown): row is Keyed =>
  recordOf(row) !== undefined || typeof (row as Partial<Keyed> | null)?.pk === 'function';

/** Subscribes to its entity alone: no context is read, React walks all readers of one when one row of many runs. */
const Row = memo(function Row({ source, index, draw }: RowProps): ReactNode {
  return draw(useSyncExternalStore(source.subscribe, source.peek, source.peek) as never, index);
});

/** A row that is no entity has only its position. */
const Plain = memo(function Plain({
  row,
  index,
  draw,
}: Omit<RowProps, 'source'> & { readonly row: unknown }): ReactNode {
  return draw(row as never, index);
});
