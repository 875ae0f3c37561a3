/** Responds to the requests of its children from fixtures. */
import { createComponent, mergeProps, splitProps, untrack } from 'solid-js';
import type { JSX } from 'solid-js';
import { mockController } from '../../src/testing/mockController.ts';
import type { MockOptions } from '../../src/testing/mockController.ts';
import { Provider } from './Provider.ts';

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
  const [own, options] = splitProps(props, ['children']);
  const controller = untrack(() => mockController({ silenceMissing: false, ...options }));
  return createComponent(Provider, mergeProps({ controller }, own));
}
