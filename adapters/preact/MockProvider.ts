/** Renders its children with fixtures as stored responses. */
import { h } from 'preact';
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Fixture } from '../../src/testing/mockController.ts';
import { mockController, initialFixturesOf } from '../../src/testing/mockController.ts';
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
