/** Providers for tests and stories: fixtures are stored, or respond to requests. */
import { h } from 'preact';
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Fixture } from '../../src/testing/mockController.ts';
import { mockController, initialFixturesOf } from '../../src/testing/mockController.ts';
import type { MockOptions } from '../../src/testing/mockController.ts';
import { Provider } from './Provider.ts';

/** Props of `<MockProvider>`. */
export interface MockProviderProps {
  /** Fixtures with `args` are stored before the first render. All fixtures respond to requests. */
  readonly fixtures: readonly Fixture[];
  readonly children?: ComponentChildren;
}

/**
 * `<MockProvider fixtures={[…]}>`: nothing suspends, nothing reaches the network; a request without a fixture fails
 * with T1.
 */
// any: the props of a vnode are invariant
export function MockProvider({ fixtures, children }: MockProviderProps): VNode<any> {
  const [controller] = useState(() =>
    mockController({ fixtures, initialFixtures: initialFixturesOf(fixtures) }),
  );
  return h(Provider, { controller }, children);
}

/** Props of `<MockResolver>`: the options of `mockController`. */
// any: the data of interceptors may be of every type
export interface MockResolverProps<T = any> extends MockOptions<T> {
  readonly children?: ComponentChildren;
}

/**
 * `<MockResolver fixtures={[…]} getInitialInterceptorData={() => ({ count: 0 })}>`: a provider with its own store, for
 * tests and stories. Its props are read at mount. A request without a matching fixture goes to the network, with a
 * warning (T1) unless `silenceMissing` is given.
 */
// any: the props of a vnode are invariant
export function MockResolver<T>(props: MockResolverProps<T>): VNode<any> {
  const { children, silenceMissing = false, ...options } = props;
  const [controller] = useState(() => mockController({ ...options, silenceMissing }));
  return h(Provider, { controller }, children);
}
