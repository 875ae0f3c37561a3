/** Prepares the prototypes of the library's own endpoint classes. */

/**
 * Prototypes of classes without private members: for these, a proxy replaces a copy at a hundredth of the cost. Users'
 * classes are not among them.
 */
export const proxyablePrototypes: WeakSet<object> = new WeakSet();

/**
 * Runs `prepare` before the first endpoint of a class is made. A statement of the module would keep the class in bundles
 * of apps that do not import it.
 */
export function prepareOnce(prototype: object, prepare: () => void): void {
  if (proxyablePrototypes.has(prototype)) return;
  proxyablePrototypes.add(prototype);
  prepare();
}
