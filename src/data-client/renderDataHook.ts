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
import type {
  Fixture as OwnFixture,
  mockController,
  MockOptions,
} from '../testing/mockController.ts';
import { DataClientController } from './DataClientController.ts';
import { DataProvider } from './DataProvider.ts';
import { toFixture } from './MockResolver.ts';
import type { Fixture } from './MockResolver.ts';

const mock = ((options: MockOptions) =>
  createMockController(options, (own) => new DataClientController(own))) as typeof mockController;

/** A mounted call of a hook. */
export interface RenderDataHookResult<R, P> extends Omit<OwnResult<P, R>, 'controller'> {
  readonly controller: DataClientController;
}

/** `renderDataHook(() => useSuspense(get, { id: 5 }), { initialFixtures, resolverFixtures })` */
export interface RenderDataHook {
  <P, R, T = unknown>(
    callback: (props: P) => R,
    options?: Omit<
      RenderHookOptions<P, T, ComponentType<{ children: ReactNode } & P> | Wrapper>,
      'initialFixtures' | 'resolverFixtures'
    > & {
      readonly initialFixtures?: readonly Fixture[] | undefined;
      readonly resolverFixtures?: readonly Fixture<T>[] | undefined;
      /** The older name of `initialFixtures`. */
      readonly results?: readonly Fixture[] | undefined;
    },
  ): RenderDataHookResult<R, P>;
  readonly cleanup: () => void;
  readonly allSettled: () => Promise<void>;
}

/** `renderDataHook` with a custom provider, which passes all props on to `DataProvider`. */
// any: a custom provider declares the props
export function makeRenderDataHook(provider: ComponentType<any>): RenderDataHook {
  const render = renderDataHookWith(provider, mock) as unknown as RenderDataHook;
  type Options = Parameters<RenderDataHook>[1];
  const renderWithResults = (
    callback: never,
    { results = [], initialFixtures = [], resolverFixtures, ...options }: NonNullable<Options> = {},
  ): unknown =>
    render(callback, {
      ...options,
      initialFixtures: [...initialFixtures, ...results].map(toFixture),
      ...(resolverFixtures && { resolverFixtures: resolverFixtures.map(toFixture) }),
    });
  const { cleanup, allSettled } = render;
  return Object.assign(renderWithResults, { cleanup, allSettled }) as RenderDataHook;
}

/** Runs a hook under `DataProvider`, with a new store. */
export const renderDataHook: RenderDataHook = makeRenderDataHook(DataProvider);
cleanUpAfterEach();

const renderPlain = makeRenderDataHook(
  ({ children }: { readonly children?: ReactNode }) => children,
);

/** Runs a hook without a provider, unless `wrapper` contains a provider. */
export const renderHook: RenderDataHook = renderPlain;

// any begin: responses of every type
/** The response to a request. */
export interface SuccessFixtureEndpoint<
  E extends EndpointInterface = EndpointInterface,
> extends OwnFixture {
  readonly endpoint: E;
  readonly args: Parameters<E>;
  readonly response: any;
  readonly error?: false;
}

/** The error of a request. */
export interface ErrorFixtureEndpoint<
  E extends EndpointInterface = EndpointInterface,
> extends OwnFixture {
  readonly endpoint: E;
  readonly args: Parameters<E>;
  readonly response: any;
  readonly error: true;
}
/** A fixture that computes the response: `T` is the data that interceptors share, `E` the endpoint. */
export type Interceptor<T = any, E extends EndpointInterface = EndpointInterface> = Omit<
  OwnFixture<T>,
  'endpoint' | 'response' | 'fetchResponse'
> & { readonly endpoint: E } & (
    | { readonly response: (this: T, ...args: Parameters<E>) => unknown }
    | { readonly fetchResponse: (this: T, input: string, init: RequestInit) => unknown }
  );
// any end

/** The response, or the error, of a request. */
export type FixtureEndpoint<E extends EndpointInterface = EndpointInterface> =
  | SuccessFixtureEndpoint<E>
  | ErrorFixtureEndpoint<E>;
/** The response to a request. */
export type SuccessFixture<E extends EndpointInterface = EndpointInterface> =
  SuccessFixtureEndpoint<E>;
/** The error of a request. */
export type ErrorFixture<E extends EndpointInterface = EndpointInterface> = ErrorFixtureEndpoint<E>;
