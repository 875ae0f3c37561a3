/** The controller of a component of tests and stories. */
import type { Controller } from '../../src/Controller.ts';
import { useEffect, useState } from './react.ts';

/** Controllers of components that have not mounted yet, by the props of each. */
const unmounted = new WeakMap<object, Controller>();

/**
 * Makes a controller once per mounted component. React discards the state of a component below a Suspense boundary when
 * its children suspend before the first mount, and renders it again with the same props object.
 */
export function useMocked(props: object, make: () => Controller): Controller {
  const [controller] = useState(() => {
    const made = unmounted.get(props) ?? make();
    unmounted.set(props, made);
    return made;
  });
  useEffect(() => void unmounted.delete(props), [props]);
  return controller;
}
