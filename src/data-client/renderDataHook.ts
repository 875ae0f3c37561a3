/** Runs a hook under a provider with managers, whose responses come from fixtures. */
import type { ComponentType, ReactNode } from 'react';
import { renderDataHookWith } from '../../adapters/react/renderDataHook.ts';
import type { Wrapper } from '../../adapters/react/renderDataHook.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { cleanUpAfterEach } from '../testing/createRenderDataHook.ts';
import type {
  RenderDataHookResult as OwnResult,
  RenderHookOptions,
} from '../testing/createRenderDataHook.ts';
import { createMockController } from '../testing/mockController.ts';
import type { Fixture, mockController, MockOptions } from '../testing/mockController.ts';
import { DataClientController } from './DataClientController.ts';
import { DataProvider } from './DataProvider.ts';
import { toFixture } from './MockResolver.ts';
import type { OlderFixture } from './MockResolver.ts';

const mock = ((options: MockOptions) =>
  createMockController(options, (own) => new DataClientController(own))) as typeof mockController;

/** One call of a hook, mounted. */
export interface RenderDataHookResult<R, P> extends Omit<OwnResult<P, R>, 'controller'> {
  readonly controller: DataClientController;
}

/** `renderDataHook(() => useSuspense(get, { id: 5 }), { initialFixtures, resolverFixtures })` */
export interface RenderDataHook {
  <P, R, T = unknown>(
    callback: (props: P) => R,
    options?: RenderHookOptions<P, T, ComponentType<{ children: ReactNode } & P> | Wrapper> & {
      /** `initialFixtures` by its older name. */
      readonly results?: readonly (Fixture | OlderFixture)[] | undefined;
    },
  ): RenderDataHookResult<R, P>;
  readonly cleanup: () => void;
  readonly allSettled: () => Promise<void>;
}

/** `renderDataHook` with a custom provider, which passes its props on to `DataProvider`. */
// any: a custom provider declares its props
export function makeRenderDataHook(provider: ComponentType<any>): RenderDataHook {
  const render = renderDataHookWith(provider, mock) as unknown as RenderDataHook;
  type Options = Parameters<RenderDataHook>[1];
  const renderWithResults = (
    callback: never,
    { results = [], initialFixtures = [], ...options }: NonNullable<Options> = {},
  ): unknown =>
    render(callback, {
      ...options,
      initialFixtures: [...initialFixtures, ...results.map(toFixture)],
    });
  const { cleanup, allSettled } = render;
  return Object.assign(renderWithResults, { cleanup, allSettled }) as RenderDataHook;
}

/** Runs a hook under `DataProvider`, with a store of its own. */
export const renderDataHook: RenderDataHook = makeRenderDataHook(DataProvider);
cleanUpAfterEach();

const renderPlain = makeRenderDataHook(
  ({ children }: { readonly children?: ReactNode }) => children,
);

/** Runs a hook without a provider: `wrapper` may bring one. */
export const renderHook: RenderDataHook = renderPlain;

// any begin: responses of every type
/** The response to one request. */
export interface SuccessFixtureEndpoint<
  E extends EndpointInterface = EndpointInterface,
> extends Fixture {
  readonly endpoint: E;
  readonly args: Parameters<E>;
  readonly response: any;
  readonly error?: false;
}

/** The error of one request. */
export interface ErrorFixtureEndpoint<
  E extends EndpointInterface = EndpointInterface,
> extends Fixture {
  readonly endpoint: E;
  readonly args: Parameters<E>;
  readonly response: any;
  readonly error: true;
}
/** A fixture that computes its response: `T` is the data that interceptors share, `E` the endpoint. */
export type Interceptor<T = any, E extends EndpointInterface = EndpointInterface> = Omit<
  Fixture<T>,
  'endpoint' | 'response' | 'fetchResponse'
> & { readonly endpoint: E } & (
    | { readonly response: (this: T, ...args: Parameters<E>) => unknown }
    | { readonly fetchResponse: (this: T, input: string, init: RequestInit) => unknown }
  );
// any end

/** The response, or the error, of one request. */
export type FixtureEndpoint<E extends EndpointInterface = EndpointInterface> =
  | SuccessFixtureEndpoint<E>
  | ErrorFixtureEndpoint<E>;
/** The response to one request. */
export type SuccessFixture<E extends EndpointInterface = EndpointInterface> =
  SuccessFixtureEndpoint<E>;
/** The error of one request. */
export type ErrorFixture<E extends EndpointInterface = EndpointInterface> = ErrorFixtureEndpoint<E>;
