/** Responds to the requests of its children from fixtures. */
import { createElement } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { mockController } from '../../src/testing/mockController.ts';
import type { MockOptions } from '../../src/testing/mockController.ts';
import { Provider } from './Provider.ts';
import { useMocked } from './useMocked.ts';

/** Props of `<MockResolver>`: the options of `mockController`. */
// any: the data of interceptors may be of every type
export interface MockResolverProps<T = any> extends MockOptions<T> {
  readonly children?: ReactNode;
}

/**
 * `<MockResolver fixtures={[…]} getInitialInterceptorData={() => ({ count: 0 })}>`: a provider with its own store, for
 * tests and stories. Its props are read at mount. A request without a matching fixture goes to the network, with a
 * warning (T1) unless `silenceMissing` is given.
 */
export function MockResolver<T>(props: MockResolverProps<T>): ReactElement {
  const { children, silenceMissing = false, ...options } = props;
  const controller = useMocked(props, () => mockController({ ...options, silenceMissing }));
  return createElement(Provider, { controller }, children);
}
