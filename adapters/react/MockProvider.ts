/** Shows what is drawn below it as if everything had been answered. */
import { createElement } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { Fixture } from '../../src/testing/Fixture.ts';
import { mockController, storedFrom } from '../../src/testing/mockController.ts';
import { Provider } from './Provider.ts';
import { useMocked } from './useMocked.ts';

/** Props of `<MockProvider>`. */
export interface MockProviderProps {
  /** Those with `args` are stored before anything is drawn. All of them answer requests. */
  readonly fixtures: readonly Fixture[];
  readonly children?: ReactNode;
}

/** `<MockProvider fixtures={[…]}>`: nothing waits, nothing reaches the network; what no fixture fits fails with T1. */
export function MockProvider(props: MockProviderProps): ReactElement {
  const { fixtures, children } = props;
  const controller = useMocked(props, () =>
    mockController({ fixtures, initialFixtures: storedFrom(fixtures) }),
  );
  return createElement(Provider, { controller }, children);
}
