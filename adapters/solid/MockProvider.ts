/** Renders its children with fixtures as stored responses. */
import { createComponent, untrack } from 'solid-js';
import type { JSX } from 'solid-js';
import type { Fixture } from '../../src/testing/mockController.ts';
import { mockController, initialFixturesOf } from '../../src/testing/mockController.ts';
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
