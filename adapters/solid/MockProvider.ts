/** Providers for tests and stories: fixtures are stored, or respond to requests. */
import { createComponent, mergeProps, splitProps, untrack } from 'solid-js';
import type { JSX } from 'solid-js';
import type { Fixture } from '../../src/testing/mockController.ts';
import { mockController, initialFixturesOf } from '../../src/testing/mockController.ts';
import type { MockOptions } from '../../src/testing/mockController.ts';
import { Provider } from './Provider.ts';

/** Props of `<MockProvider>`. */
export interface MockProviderProps {
  /** Fixtures with `args` are stored before the first render. All fixtures respond to requests. */
  readonly fixtures: readonly Fixture[];
  readonly children?: JSX.Element;
}

/**
 * `<MockProvider fixtures={[…]}>`: nothing suspends, nothing reaches the network; a request without a fixture fails
 * with T1.
 */
export function MockProvider(props: MockProviderProps): JSX.Element {
  const fixtures = untrack(() => props.fixtures);
  const controller = mockController({ fixtures, initialFixtures: initialFixturesOf(fixtures) });
  return createComponent(Provider, {
    controller,
    get children() {
      return props.children;
    },
  });
}

/** Props of `<MockResolver>`: the options of `mockController`. */
// any: the data of interceptors may be of every type
export interface MockResolverProps<T = any> extends MockOptions<T> {
  readonly children?: JSX.Element;
}

/**
 * `<MockResolver fixtures={[…]} getInitialInterceptorData={() => ({ count: 0 })}>`: a provider with its own store, for
 * tests and stories. Its props are read at mount. A request without a matching fixture goes to the network, with a
 * warning (T1) unless `silenceMissing` is given.
 */
export function MockResolver<T>(props: MockResolverProps<T>): JSX.Element {
  const [content, options] = splitProps(props, ['children']);
  const controller = untrack(() => mockController({ silenceMissing: false, ...options }));
  return createComponent(Provider, mergeProps({ controller }, content));
}
