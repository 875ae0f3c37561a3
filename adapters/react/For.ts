/** A list whose rows run one by one: a changed field runs its row, a new row the list. */
import { createElement, Fragment, memo, useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { Controller, DataOf } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { useController } from './Provider.ts';
import { useEntity } from './useEntity.ts';
import { useMembers } from './useSuspense.ts';

type RowOf<E extends EndpointInterface> =
  DataOf<E> extends readonly (infer Row extends object)[] ? Row : never;

export interface ForProps<E extends EndpointInterface> {
  readonly each: E;
  /** The first argument of the endpoint; null: an empty list, and nothing is asked. */
  readonly params?: Parameters<E>[0] | null;
  /** Draws one row from its snapshot. */
  readonly children: (row: RowOf<E>, index: number) => ReactNode;
}

/** `<For each={getTodos} params={{ userId }}>{todo => <li>{todo.title}</li>}</For>`; suspends as useSuspense does. */
export function For<E extends EndpointInterface>(props: ForProps<E>): ReactElement {
  const { each, children: draw } = props;
  const controller = useController();
  // live rows: their identity stays while their fields change
  const rows = useMembers(each, 'params' in props ? [props.params] : []) as readonly Keyed[];
  // a row that does not ask for its index does not run when it moves
  const indexed = draw.length > 1;
  return createElement(
    Fragment,
    null,
    rows.map((row, at) =>
      createElement(Row, { key: keyOf(controller, row) ?? at, row, index: indexed ? at : 0, draw }),
    ),
  );
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
  readonly row: object;
  readonly index: number;
  readonly draw: (row: never, index: number) => ReactNode;
}

const Row = memo(function Row({ row, index, draw }: RowProps): ReactNode {
  const controller = useController();
  const snapshot = useMemo(() => controller.peek(row), [controller, row]);
  return draw(useEntity(snapshot) as never, index);
});
