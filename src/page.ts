/** Visibility of the page and state of the network; the only file that uses the page's events. */

/** The event: the user came back to the page, or the network is back. */
export type Return = 'focus' | 'reconnect';

/** The surroundings of a controller. React Native passes an object built on `AppState` and a network library. */
export interface Surroundings {
  /** True while the page is not visible. */
  readonly hidden: boolean;
  /** True if the network is known to be missing. */
  readonly offline: boolean;
  /** Calls `back` at each return. Returns the function that stops listening. */
  listen(back: (what: Return) => void): () => void;
}

const findDocument = (): Document | undefined =>
  typeof document === 'undefined' || typeof addEventListener !== 'function' ? undefined : document;

/** True if components are never mounted. React Native, identified by `navigator.product`, has no `document` either. */
export const isServer = (): boolean =>
  typeof document === 'undefined' && globalThis.navigator?.product !== 'ReactNative';

/** The text of the element with this id; undefined without the element. */
export const textInPage = (id: string): string | undefined =>
  findDocument()?.getElementById(id)?.textContent ?? undefined;

/** Resolves once the page is parsed. */
export async function pageIsParsed(): Promise<void> {
  const page = findDocument();
  if (page?.readyState !== 'loading') return;
  await new Promise((resolve) => {
    page.addEventListener('DOMContentLoaded', resolve, { once: true });
  });
}

type ReturnListener = (what: Return) => void;

const returnListeners = /* @__PURE__ */ new WeakMap<Document, Set<ReturnListener>>();

/**
 * The listeners of a page. Event handlers are added once per page and never removed: adding and removing
 * handlers costs 0.3 ms at each navigation.
 */
function returnListenersOf(page: Document): Set<ReturnListener> {
  const known = returnListeners.get(page);
  if (known !== undefined) return known;
  const listeners = new Set<ReturnListener>();
  const onEvent = (what: Return) => () => {
    if (what === 'focus' && pageSurroundings.hidden) return;
    for (const listener of Array.from(listeners)) listener(what);
  };
  const focus = onEvent('focus');
  page.addEventListener('visibilitychange', focus);
  addEventListener('focus', focus);
  addEventListener('online', onEvent('reconnect'));
  returnListeners.set(page, listeners);
  return listeners;
}

/** The surroundings of the page. Servers, Node and React Native have none: always visible and online, no events. */
export const pageSurroundings: Surroundings = {
  get hidden() {
    return findDocument()?.visibilityState === 'hidden';
  },
  get offline() {
    return findDocument() !== undefined && !navigator.onLine;
  },
  listen(back) {
    const page = findDocument();
    if (page === undefined) return () => {};
    const listeners = returnListenersOf(page);
    listeners.add(back);
    return () => void listeners.delete(back);
  },
};

/** Calls `handler` when the network goes, or comes back. Returns the function that stops listening. */
export function listenToConnection(event: 'online' | 'offline', handler: () => void): () => void {
  if (findDocument() === undefined) return () => {};
  addEventListener(event, handler);
  return () => removeEventListener(event, handler);
}
