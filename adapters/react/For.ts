/** A list with separately rendered rows: a changed field re-renders the row, a new row the list. */
import { Fragment, createElement, memo, useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { Controller } from '../../src/Controller.ts';
import { computed } from '../../src/signals.ts';
import type { ReadonlySignal } from '../../src/signals.ts';
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
import { commitTrackerOf } from './concurrent/CommitTracker.ts';
import type { CommitTracker } from './concurrent/CommitTracker.ts';
import { MutableSource, useMutableSource } from './concurrent/MutableSource.ts';
import type { Selector } from './concurrent/MutableSource.ts';
import { rowsOnly, subscribeSelected } from './concurrent/useResult.ts';
import { entitySource } from './useEntity.ts';
import { useSuspendedData } from './useSuspense.ts';

/** Props of `<For>`: a list with params, and a function that renders a row. */
export interface ForProps<E extends Each> extends Rendering<E, RowOf<ListIn<E>>, ReactNode> {
  readonly each: E & IfList<E>;
  readonly select?: undefined;
}

/** Props of `<For>` for data with several lists, or with a nested list. */
export interface ForSelectProps<E extends Each, R> extends Rendering<E, R, ReactNode> {
  /**
   * Selects the list in the data. Must not derive a list: only changes of membership run the function, changes of
   * fields do not.
   */
  readonly select: (data: DataIn<E>) => readonly R[] | null | undefined;
}

/** `<For each={getTodos} params={{ userId }}>{todo => <li>{todo.title}</li>}</For>`; suspends as useSuspense does. */
export function For<E extends Each>(props: ForProps<E>): ReactElement;
export function For<E extends Each, R extends object>(props: ForSelectProps<E, R>): ReactElement;
export function For(props: AnyRendering<ReactNode>): ReactElement {
  const controller = useController();
  const reader = readerOfEach(controller, props);
  // live rows: their identity stays while their fields change
  const data = useSuspendedData(controller, reader, rowsOnly);
  const { each, select } = props;
  const element = useRows(controller, props, select ? [] : listIn(each, data, select));
  return select ? createElement(SelectedRows, { ...props, data }) : element;
}

/** A list inside of an entity may change while the entity stays the same live object. */
const selectedList: Selector<readonly unknown[], ReadonlySignal<readonly unknown[]>> = {
  peek: (rows) => rows.peek(),
  listen: (rows, listener) => subscribeSelected(rows, () => rows.peek(), listener),
};

function SelectedRows(props: AnyRendering<ReactNode> & { readonly data: unknown }): ReactElement {
  const { each, select, data } = props;
  const controller = useController();
  const tracker = commitTrackerOf(controller);
  const source = useMemo(() => {
    const rows = computed(() => listIn(each, data, select));
    return new MutableSource(tracker, selectedList, rows);
  }, [tracker, each, data, select]);
  const rows = useMutableSource(source, (value) => value ?? source.initialValue());
  return useRows(controller, props, rows);
}

function useRows(
  controller: Controller,
  { from = 0, to, children: render }: AnyRendering<ReactNode>,
  rows: readonly unknown[],
): ReactElement {
  const elementOf = useMemo(() => createElements(commitTrackerOf(controller)), [controller]);
  const start = startIndexOf(from, rows.length);
  const pass = {};
  return createElement(
    Fragment,
    null,
    rows.slice(from, to).map((row, at) => elementOf(row, start + at, render, pass)),
  );
}

interface EntityRowProps extends Omit<RowProps<ReactNode>, 'key' | 'row'> {
  readonly source: MutableSource<object>;
}

function createElements(tracker: CommitTracker) {
  return createRowCache<ReactNode, ReactElement<EntityRowProps>>((props, former) => {
    const { key, row, index, render } = props;
    if (typeof key === 'number') return createElement(PlainRow, props) as never;
    const source = former?.props.source ?? entitySource(tracker, row as object);
    return createElement(EntityRow, { key, source, index, render });
  });
}

/** Subscribes to its entity alone. No context is read: React would walk all readers of the context when a row runs. */
const EntityRow = memo(function EntityRow({ source, index, render }: EntityRowProps): ReactNode {
  const row = useMutableSource(source, (value) => value ?? source.initialValue());
  return render(row as never, index);
});

/** A row that is no entity, identified only by position. */
const PlainRow = memo(function PlainRow({ row, index, render }: RowProps<ReactNode>): ReactNode {
  return render(row as never, index);
});
