/** Visibility of the page and state of the network; the only file that uses the page's events. */

/** The event: the user came back to the page, or the network is back. */
export type Return = 'focus' | 'reconnect';

/** The surroundings of a controller. React Native passes its own, built on `AppState` and a network library. */
export interface Surroundings {
  /** True while the page is not visible. */
  readonly hidden: boolean;
  /** True if it is known that there is no network. */
  readonly offline: boolean;
  /** Calls `back` at each return. Returns the function that stops listening. */
  listen(back: (what: Return) => void): () => void;
}

const pageHere = (): Document | undefined =>
  typeof document === 'undefined' || typeof addEventListener !== 'function' ? undefined : document;

/** True if components are never mounted. React Native has no `document` either; `navigator.product` identifies it. */
export const isServer = (): boolean =>
  typeof document === 'undefined' && globalThis.navigator?.product !== 'ReactNative';

type Back = (what: Return) => void;

const told = /* @__PURE__ */ new WeakMap<Document, Set<Back>>();

/**
 * The listeners of a page. Event handlers are added once per page and never removed: to add and remove them costs 0.3
 * ms at each navigation.
 */
function toldOf(page: Document): Set<Back> {
  const known = told.get(page);
  if (known !== undefined) return known;
  const all = new Set<Back>();
  const tell = (what: Return) => () => {
    if (what === 'focus' && pageSurroundings.hidden) return;
    for (const back of Array.from(all)) back(what);
  };
  const focus = tell('focus');
  page.addEventListener('visibilitychange', focus);
  addEventListener('focus', focus);
  addEventListener('online', tell('reconnect'));
  told.set(page, all);
  return all;
}

/** The surroundings of the page. Servers, Node and React Native have none: always visible and online, no events. */
export const pageSurroundings: Surroundings = {
  get hidden() {
    return pageHere()?.visibilityState === 'hidden';
  },
  get offline() {
    return pageHere() !== undefined && !navigator.onLine;
  },
  listen(back) {
    const page = pageHere();
    if (page === undefined) return () => {};
    const all = toldOf(page);
    all.add(back);
    return () => void all.delete(back);
  },
};
