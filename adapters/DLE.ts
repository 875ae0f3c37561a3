/** What useDLE returns: data, loading and error as an object; data of former arguments while those of new ones load. */
import type { Controller } from '../src/Controller.ts';
import type { EndpointInterface } from '../src/endpoint/Endpoint.ts';
import type { UnknownError } from '../src/errors.ts';
import { contextOf, policyOf } from '../src/request/FetchContext.ts';
import type { Result } from '../src/store/StorePort.ts';
import type { Reader } from '../src/view/Reader.ts';
import type { FrameworkHooks } from './FrameworkHooks.ts';

/** Loading before the first data, an error, or data; stale data stay during a refetch. */
export type DLE<T> =
  | {
      readonly data: undefined;
      readonly loading: true;
      readonly error: undefined;
      readonly deleted?: never;
      readonly isPreviousData?: undefined;
    }
  | {
      readonly data: undefined;
      readonly loading: false;
      readonly error: UnknownError;
      readonly deleted?: never;
      readonly isPreviousData?: undefined;
    }
  | {
      readonly data: T;
      readonly loading: false;
      readonly error: undefined;
      /** The entity is deleted: `data` is the last value. */
      readonly deleted?: true;
      /** `data` belong to the former arguments; the data of the present arguments load (policy `keepPreviousData`). */
      readonly isPreviousData?: true;
    };

export const LOADING: DLE<never> = { data: undefined, loading: true, error: undefined };

/** Converts a result that is not pending. */
export function toDLE<T>(result: Result<T>): DLE<T> {
  const { data, error } = result;
  const deleted = result.status === 'success' && result.deleted;
  return { data, loading: false, error, ...(deleted && { deleted }) } as DLE<T>;
}

/** Each member is tracked separately; must not be destructured. */
export interface TrackedDLE<T> {
  /** Live data; stale data stay during a refetch. */
  readonly data: T | undefined;
  /** There are no data yet. */
  readonly loading: boolean;
  readonly error: UnknownError | undefined;
  /** The entity is deleted: `data` is the last value. */
  readonly deleted: boolean;
  /** `data` belong to the former arguments; the data of the present arguments load (policy `keepPreviousData`). */
  readonly isPreviousData: boolean;
}

/** For frameworks that track reads. `shown` returns undefined before the first data. */
export function trackedDLE(shown: () => Result | undefined): TrackedDLE<unknown> {
  return {
    get data() {
      return shown()?.data;
    },
    get loading() {
      return shown() === undefined;
    },
    get error() {
      return shown()?.error;
    },
    get deleted() {
      return (shown() as { deleted?: true } | undefined)?.deleted === true;
    },
    get isPreviousData() {
      return (shown() as { isPreviousData?: true } | undefined)?.isPreviousData === true;
    },
  };
}

/** What a component has shown last. */
interface Shown<T> {
  readonly session: object;
  readonly endpoint: EndpointInterface;
  readonly reader: Reader;
  readonly value: T;
}

/** The data that a component has shown last. */
export class PreviousData<T extends { readonly data: unknown }> {
  #last: Shown<T> | undefined;

  /** Without a value nothing is kept. The reader of null arguments has the key ''. */
  keep(
    controller: Controller,
    endpoint: EndpointInterface,
    reader: Reader,
    value: T | undefined,
  ): void {
    const last = this.#last;
    // a hidden tree of React renders the data from before a reset once more
    const isSame = last?.reader === reader && last.value.data === value?.data;
    const { session } = isSame ? last : contextOf(controller);
    this.#last =
      value === undefined || reader.key === '' ? undefined : { session, endpoint, reader, value };
  }

  /**
   * While `reader` has no data: the reader of the former arguments, if the policy keeps their data. None after a reset
   * of the store, and none with another controller.
   */
  formerReader(
    controller: Controller,
    endpoint: EndpointInterface,
    { key }: Reader,
  ): Reader | undefined {
    const last = this.#last;
    const context = contextOf(controller);
    if (
      last?.endpoint.name !== endpoint.name ||
      last.session !== context.session ||
      last.reader.key === key ||
      key === ''
    )
      return undefined;
    return policyOf(context, endpoint, 'keepPreviousData') === true ? last.reader : undefined;
  }

  /** What is shown of the former arguments: their present data, or the last if these were invalidated or collected. */
  show(present: T | undefined): T {
    return { ...(present ?? (this.#last as Shown<T>).value), isPreviousData: true };
  }
}

/** The values of a render of `useDLE`. */
interface RenderedRead<T> {
  readonly controller: Controller;
  readonly endpoint: EndpointInterface;
  readonly reader: Reader;
  /** Without data: loading, or an error. */
  readonly now: T;
}

interface UseFormerData<T> {
  readonly useFormerData: (reader: Reader | undefined) => T | undefined;
}

/**
 * `useDLE` of React and Preact: the result to render instead of `now`. `useFormerData`: the data of a reader, if any.
 */
export function usePreviousData<
  T extends { readonly data: unknown; readonly loading: boolean; readonly error: unknown },
>(
  {
    useState,
    useInsertionEffect: useCommit,
    useFormerData,
  }: Pick<FrameworkHooks, 'useState' | 'useInsertionEffect'> & UseFormerData<T>,
  { controller, endpoint, reader, now }: RenderedRead<T>,
): T {
  const [previous] = useState(() => new PreviousData<T>());
  const former = now.loading ? previous.formerReader(controller, endpoint, reader) : undefined;
  const present = useFormerData(former);
  const shown = former === undefined ? now : previous.show(present);
  useCommit(() => {
    if (shown.loading) return;
    previous.keep(
      controller,
      endpoint,
      former ?? reader,
      shown.error === undefined ? shown : undefined,
    );
  });
  return shown;
}
