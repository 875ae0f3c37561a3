/** A list whose rows run one by one: a changed field runs its row, a new row the list. */
import { createElement, Fragment, memo, useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { Controller, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { isEndpoint } from '../../src/endpoint/isEndpoint.ts';
import type { Denormalized, Schema } from '../../src/schema/schema.ts';
import { useController } from './Provider.ts';
import { useSnapshot } from './useEntity.ts';
import { useMembers } from './useSuspense.ts';

type ListOf<E> = E extends EndpointInterface
  ? DataOf<E>
  : E extends Schema
    ? Denormalized<E>
    : never;
type RowOf<E> = ListOf<E> extends readonly (infer Row extends object)[] ? Row : never;

/** Props of `<For>`: a list with its params, and what draws one row. */
export interface ForProps<E extends EndpointInterface | Schema> {
  /**
   * An endpoint, or the schema of a list that is there without asking: `new Query(…)`, `new All(Todo)`. Make a schema
   * once, outside of the component.
   */
  readonly each: E;
  /** The first argument; null: an empty list, and nothing is asked. */
  readonly params?: (E extends EndpointInterface ? Parameters<E>[0] : unknown) | null;
  /** Draws one row from its snapshot. */
  readonly children: (row: RowOf<E>, index: number) => ReactNode;
}

const NONE: readonly Keyed[] = [];

/** `<For each={getTodos} params={{ userId }}>{todo => <li>{todo.title}</li>}</For>`; suspends as useSuspense does. */
export function For<E extends EndpointInterface | Schema>(props: ForProps<E>): ReactElement {
  const { each, children: draw } = props;
  const controller = useController();
  const args = ('params' in props ? [props.params] : []) as readonly [null];
  const reader = isEndpoint(each)
    ? controller.view(each, ...args)
    : controller.query(each, ...args);
  // live rows: their identity stays while their fields change
  const rows = (useMembers(reader) ?? NONE) as readonly Keyed[];
  const rowAt = useMemo(() => rowsBy(controller, draw), [controller, draw]);
  return createElement(Fragment, null, rows.map(rowAt));
}

/** Elements of rows, kept: React does not look again at the props of one that it knows. */
function rowsBy(
  controller: Controller,
  draw: RowProps['draw'],
): (row: Keyed, at: number) => ReactElement {
  const known = new WeakMap<Keyed, ReactElement>();
  // a row that does not ask for its index does not run when it moves
  const indexed = draw.length > 1;
  return (row, at) => {
    const kept = indexed ? undefined : known.get(row);
    if (kept !== undefined) return kept;
    const key = keyOf(controller, row) ?? at;
    const index = indexed ? at : 0;
    const made = createElement(Row, { key, controller, row, index, draw });
    known.set(row, made);
    return made;
  };
}

interface Keyed {
  pk(): Key;
}
type Key = string | number | undefined;

const keys = /* @__PURE__ */ new WeakMap<Keyed, Key>();

/**
 * The primary key when the row was first drawn: one that was created here gets another later, and stays the same row.
 * Not the live row itself: that is another one when what a server rendered is hydrated.
 */
function keyOf(controller: Controller, row: Keyed): Key {
  let key = keys.get(row);
  if (key === undefined) keys.set(row, (key = controller.peek(row)?.pk()));
  return key;
}

interface RowProps {
  /** Lent as a prop: React walks all readers of a context when one row of many runs. */
  readonly controller: Controller;
  readonly row: object;
  readonly index: number;
  readonly draw: (row: never, index: number) => ReactNode;
}

const Row = memo(function Row({ controller, row, index, draw }: RowProps): ReactNode {
  return draw(useSnapshot(controller, row, controller.peek(row)) as never, index);
});
