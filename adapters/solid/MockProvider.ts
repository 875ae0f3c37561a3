/** Shows what is drawn below it as if everything had been answered. */
import { createComponent, untrack } from 'solid-js';
import type { JSX } from 'solid-js';
import type { Fixture } from '../../src/testing/Fixture.ts';
import { mockController, storedFrom } from '../../src/testing/mockController.ts';
import { Provider } from './Provider.ts';

/** Props of `<MockProvider>`. */
export interface MockProviderProps {
  /** Those with `args` are stored before anything is drawn. All of them answer requests. */
  readonly fixtures: readonly Fixture[];
  readonly children?: JSX.Element;
}

/** `<MockProvider fixtures={[…]}>`: nothing waits, nothing reaches the network; what no fixture fits fails with T1. */
export function MockProvider(props: MockProviderProps): JSX.Element {
  const fixtures = untrack(() => props.fixtures);
  const controller = mockController({ fixtures, initialFixtures: storedFrom(fixtures) });
  return createComponent(Provider, {
    controller,
    get children() {
      return props.children;
    },
  });
}
