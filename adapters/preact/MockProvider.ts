/** Shows what is drawn below it as if everything had been answered. */
import { h } from 'preact';
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Fixture } from '../../src/testing/Fixture.ts';
import { mockController, storedFrom } from '../../src/testing/mockController.ts';
import { Provider } from './Provider.ts';

/** Props of `<MockProvider>`. */
export interface MockProviderProps {
  /** Those with `args` are stored before anything is drawn. All of them answer requests. */
  readonly fixtures: readonly Fixture[];
  readonly children?: ComponentChildren;
}

/** `<MockProvider fixtures={[…]}>`: nothing waits, nothing reaches the network; what no fixture fits fails with T1. */
// any: the props of a vnode are invariant
export function MockProvider({ fixtures, children }: MockProviderProps): VNode<any> {
  const [controller] = useState(() =>
    mockController({ fixtures, initialFixtures: storedFrom(fixtures) }),
  );
  return h(Provider, { controller }, children);
}
