/** The classes of endpoints that a proxy can represent. */

/**
 * Prototypes of the library's endpoint classes without private members: for these, a proxy replaces a copy at a
 * hundredth of the cost. Users' classes are not among them. A class is added when its first endpoint is made.
 */
export const proxyablePrototypes: WeakSet<object> = new WeakSet();
