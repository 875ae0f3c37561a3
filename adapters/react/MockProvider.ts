/** Renders its children with fixtures as stored responses. */
import { createElement } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { Fixture } from '../../src/testing/mockController.ts';
import { mockController, initialFixturesOf } from '../../src/testing/mockController.ts';
import { Provider } from './Provider.ts';
import { useMocked } from './useMocked.ts';

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
