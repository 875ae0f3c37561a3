/** The rows that `<For>` renders: finds the list in the data of `each`, and keeps the element of each row. */
import type { Controller, DataOf } from '../src/Controller.ts';
import { DEV, SignalboxError } from '../src/errors.ts';
import type { EndpointInterface } from '../src/endpoint/Endpoint.ts';
import { isEndpoint } from '../src/endpoint/argumentChecks.ts';
import { LiteralKind, ObjectKind } from '../src/schema/containers.ts';
import { isPlainObject } from '../src/schema/fieldOf.ts';
import { kindOf } from '../src/schema/kindOf.ts';
import type { Denormalized, EntityClass, Kind, Schema } from '../src/schema/schema.ts';
import { recordOf } from '../src/live/LiveObject.ts';
import type { Reader } from '../src/view/Reader.ts';

/** `each` of `<For>`: an endpoint, or the schema of stored data. */
export type Each = EndpointInterface | Schema;

/** The data of `each`. */
export type DataIn<E> = E extends EndpointInterface
  ? DataOf<E>
  : E extends Schema
    ? Denormalized<E>
    : never;

/** The names of the lists in an envelope. */
type ListNames<T> = {
  [K in keyof T]-?: string extends K
    ? never
    : NonNullable<T[K]> extends readonly object[]
      ? K
      : never;
}[keyof T];

type IsSingle<K> = [K] extends [never]
  ? false
  : UnionToIntersection<K> extends never
    ? false
    : true;
type UnionToIntersection<K> = (K extends unknown ? (k: [K]) => void : never) extends (
  k: infer I,
) => void
  ? I
  : never;

/** The list of `E` that is rendered; never if `select` must name the list. */
export type ListIn<E> =
  DataIn<E> extends infer D ? (D extends readonly unknown[] ? D : EnvelopeList<E, D>) : never;

type EnvelopeList<E, D> = E extends { readonly schema?: infer S }
  ? S extends EntityClass
    ? never
    : D extends object
      ? IsSingle<ListNames<D>> extends true
        ? NonNullable<D[ListNames<D>]>
        : never
      : never
  : never;

/** Rejects an `E` with a type that holds no list, or several. */
export type IfList<E> = [unknown] extends [DataIn<E>]
  ? unknown
  : [ListIn<E>] extends [never]
    ? { readonly each: 'it is no list, and holds none or several: see select' }
    : unknown;

/** A row of a list. */
export type RowOf<L> = L extends readonly (infer Row extends object)[] ? Row : never;

/** The props of `<For>` of every framework; `Content`: what a component of the framework renders. */
export interface Rendering<E extends Each, R, Content> {
  /**
   * An endpoint with a list, or an envelope with a single list in the schema, as data; or the schema of a stored list,
   * without a request: `new Query(…)`, `new All(Todo)`. Create a schema once, outside of the component.
   */
  readonly each: E;
  /** The first argument; null: an empty list without a request. */
  readonly params?: (E extends EndpointInterface ? Parameters<E>[0] : unknown) | null;
  /** Renders the rows from this position on, as in Array.slice; default 0. */
  readonly from?: number | undefined;
  /** Renders the rows up to, but without, this position, as in Array.slice; default all. */
  readonly to?: number | undefined;
  /** Renders a row; `index`: the position in the list. */
  readonly children: (row: R, index: number) => Content;
}

/** Renders a row at a position in the list. */
type RenderRow<Content> = (row: never, index: number) => Content;

/** The props of `<For>` with their types resolved. */
export interface AnyRendering<Content> extends Omit<Rendering<Each, object, Content>, 'children'> {
  readonly children: RenderRow<Content>;
  readonly select?: ((data: never) => unknown) | undefined;
}

/** The reader of the data of `each`, for these props. */
export function readerOfEach(controller: Controller, props: AnyRendering<unknown>): Reader {
  const { each } = props;
  const args = ('params' in props ? [props.params] : []) as readonly [null];
  return isEndpoint(each) ? controller.view(each, ...args) : controller.query(each, ...args);
}

/** The start position of `slice(from)`. */
export function startIndexOf(from: number, length: number): number {
  return from < 0 ? Math.max(length + from, 0) : from;
}

const NO_ROWS: readonly unknown[] = [];

/** Throws A6 if `data` are no list, and their schema holds none, or (in development) several. */
export function listIn(
  each: unknown,
  data: unknown,
  select: ((data: never) => unknown) | undefined,
): readonly unknown[] {
  if (data === undefined || data === null) return NO_ROWS;
  const list: unknown = select === undefined ? rowsOf(each, data) : select(data as never);
  if (list === undefined || list === null) return NO_ROWS;
  if (!Array.isArray(list)) throw new SignalboxError('A6', { value: data });
  return list;
}

function rowsOf(each: unknown, data: unknown): unknown {
  if (Array.isArray(data)) return data;
  const schema: unknown = isEndpoint(each) ? each.schema : each;
  const lists: unknown[] = [];
  if (schema === undefined) {
    if (isPlainObject(data)) lists.push(...Object.values(data).filter(Array.isArray));
  } else collectLists(kindOf(schema, 'For'), data, lists);
  // in production the first list
  return DEV && lists.length > 1 ? data : (lists[0] ?? data);
}

/** Adds the lists of an envelope that the schema describes. */
function collectLists(kind: Kind, data: unknown, lists: unknown[]): void {
  if (kind instanceof ObjectKind) {
    for (const [name, inner] of kind.members)
      collectLists(inner, (data as Record<string, unknown> | undefined)?.[name], lists);
  } else if (!(kind instanceof LiteralKind) && Array.isArray(kind.emptyValue?.()))
    lists.push(data ?? NO_ROWS);
}

interface Keyed {
  pk(): string | number | undefined;
}

const isKeyed = (row: unknown): row is Keyed =>
  recordOf(row) !== undefined || typeof (row as Partial<Keyed> | null)?.pk === 'function';

/**
 * Returns a name of each row from class and primary key, undefined for a row that is no entity. The live row cannot be
 * the key, since hydration replaces live rows.
 */
function createRowNames(): (row: unknown) => string | undefined {
  const classes: unknown[] = [];
  return (row) => {
    if (!isKeyed(row)) return undefined;
    const { kind, pk } = recordOf(row) ?? { kind: { Class: row.constructor }, pk: row.pk() };
    if (!classes.includes(kind.Class)) classes.push(kind.Class);
    return `${classes.indexOf(kind.Class)},${pk}`;
  };
}

/** The props of the element of a row, with the key: a number for a row that is no entity. */
export interface RowProps<Content> {
  readonly key: string | number;
  readonly row: unknown;
  readonly index: number;
  readonly render: RenderRow<Content>;
}

/** The place of a row: a new place for each time that a list contains the row. */
interface Place<E> {
  /** The row's first primary key: a row that was created here gets another key later, and keeps this name. */
  readonly name: string;
  element?: E;
  /** The render of the list that used this place last. */
  pass?: object;
  /** The next place of the same row in the list. */
  next?: Place<E>;
}

/** An element of a framework. */
interface RowElement<Content> {
  readonly props: Pick<RowProps<Content>, 'index' | 'render'>;
}

/**
 * Keeps the elements of rows: a framework does not render an unchanged element again. `create` gets the former element
 * of the same place. `pass` is a new object for each render of the list.
 */
export function createRowCache<Content, E extends RowElement<Content>>(
  create: (props: RowProps<Content>, former: E | undefined) => E,
): (row: unknown, position: number, render: RenderRow<Content>, pass: object) => E {
  const places = new WeakMap<object, Place<E>>();
  const nameOf = createRowNames();
  return (row, position, render, pass) => {
    // a row function without the index parameter need not run when the row moves
    const index = render.length > 1 ? position : 0;
    let place = places.get(row as object);
    if (place === undefined) {
      const name = nameOf(row);
      if (name === undefined) return create({ key: position, row, index, render }, undefined);
      places.set(row as object, (place = { name }));
    }
    let repeats = 0;
    for (; place.pass === pass; repeats++) place = place.next ??= { name: place.name };
    place.pass = pass;
    const { element: former } = place;
    if (former?.props.render === render && former.props.index === index) return former;
    const key = `${repeats},${place.name}`;
    return (place.element = create({ key, row, index, render }, former));
  };
}
