/** Keeps showing the data of the former arguments while those of new arguments load: the policy `keepPreviousData`. */
import type { Controller } from '../src/Controller.ts';
import type { EndpointInterface } from '../src/endpoint/Endpoint.ts';
import { contextOf, policyOf } from '../src/request/FetchContext.ts';
import type { FrameworkHooks } from './FrameworkHooks.ts';

/** What a component has shown last: the key of its request, and the result. */
interface Shown<T> {
  readonly name: string;
  readonly key: string;
  readonly value: T;
}

/** The data that one component has shown last. */
export class PreviousData<T extends object> {
  #last: Shown<T> | undefined;

  /** `key`: '' without a request. */
  keep(endpoint: EndpointInterface, key: string, value: T | undefined): void {
    const { name } = endpoint;
    this.#last = value === undefined || key === '' ? undefined : { name, key, value };
  }

  /** After a reset of the store no former data may be shown. */
  clear(): void {
    this.#last = undefined;
  }

  /** The data of other arguments of the endpoint, if the policy keeps these. */
  of(controller: Controller, endpoint: EndpointInterface, key: string): T | undefined {
    const last = this.#last;
    if (last === undefined || last.name !== endpoint.name || last.key === key || key === '')
      return undefined;
    const keeps = policyOf(contextOf(controller), endpoint, 'keepPreviousData') === true;
    return keeps ? { ...last.value, isPreviousData: true } : undefined;
  }
}

/** The values of one render of `useDLE`. */
interface RenderedRead<T> {
  readonly controller: Controller;
  readonly endpoint: EndpointInterface;
  readonly key: string;
  /** Without data: loading, or an error. */
  readonly now: T;
}

/** `useDLE` of React and Preact: what it shows instead of `now`. */
export function usePreviousData<T extends { readonly loading: boolean; readonly error: unknown }>(
  {
    useState,
    useInsertionEffect: useCommit,
    useEffect,
  }: Pick<FrameworkHooks, 'useState' | 'useInsertionEffect' | 'useEffect'>,
  { controller, endpoint, key, now }: RenderedRead<T>,
): T {
  const [previous] = useState(() => new PreviousData<T>());
  useCommit(() => {
    if (!now.loading) previous.keep(endpoint, key, now.error === undefined ? now : undefined);
  });
  useEffect(() => controller.on('reset', () => previous.clear()), [controller, previous]);
  return (now.loading ? previous.of(controller, endpoint, key) : undefined) ?? now;
}
