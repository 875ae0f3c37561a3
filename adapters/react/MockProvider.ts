/** Providers for tests and stories: fixtures are stored, or respond to requests. */
import { createElement } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { Controller } from '../../src/Controller.ts';
import type { Fixture, MockOptions } from '../../src/testing/mockController.ts';
import { mockController, initialFixturesOf } from '../../src/testing/mockController.ts';
import { Provider } from './Provider.ts';
import { useEffect, useState } from './react.ts';

/** Props of `<MockProvider>`. */
export interface MockProviderProps {
  /** Fixtures with `args` are stored before the first render. All fixtures respond to requests. */
  readonly fixtures: readonly Fixture[];
  readonly children?: ReactNode;
}

/**
 * `<MockProvider fixtures={[…]}>`: nothing suspends, nothing reaches the network; a request without a fixture fails
 * with T1.
 */
export function MockProvider(props: MockProviderProps): ReactElement {
  const { fixtures, children } = props;
  const controller = useMocked(props, () =>
    mockController({ fixtures, initialFixtures: initialFixturesOf(fixtures) }),
  );
  return createElement(Provider, { controller }, children);
}

/** Props of `<MockResolver>`: the options of `mockController`. */
// any: the data of interceptors may be of every type
export interface MockResolverProps<T = any> extends MockOptions<T> {
  readonly children?: ReactNode;
}

/**
 * `<MockResolver fixtures={[…]} getInitialInterceptorData={() => ({ count: 0 })}>`: a provider with a new store, for
 * tests and stories. Props are read at mount. A request without a matching fixture goes to the network, with a warning
 * (T1) unless `silenceMissing` is given.
 */
export function MockResolver<T>(props: MockResolverProps<T>): ReactElement {
  const { children, silenceMissing = false, ...options } = props;
  const controller = useMocked(props, () => mockController({ ...options, silenceMissing }));
  return createElement(Provider, { controller }, children);
}

/** Controllers of components that have not mounted yet, by the props of each. */
const unmounted = new WeakMap<object, Controller>();

/**
 * Creates a controller once per mounted component. Below a Suspense boundary, React discards the state of a component
 * when the children suspend before the first mount, and renders the component again with the same props object.
 */
function useMocked(props: object, create: () => Controller): Controller {
  const [controller] = useState(() => {
    const created = unmounted.get(props) ?? create();
    unmounted.set(props, created);
    return created;
  });
  useEffect(() => void unmounted.delete(props), [props]);
  return controller;
}
