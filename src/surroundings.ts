/** Whether somebody looks and the network is there, as the library knows them; the one door to a page's events. */

/** What came back: the user to the page, or the network. */
export type Return = 'focus' | 'reconnect';

/** What the library asks of its surroundings. React Native gives its own, made of `AppState` and a network library. */
export interface Surroundings {
  /** True while nobody can see the page. */
  readonly hidden: boolean;
  /** True where it is known that there is no network. */
  readonly offline: boolean;
  /** Calls `back` at each return. Gives back how to stop. */
  listen(back: (what: Return) => void): () => void;
}

const pageHere = (): Document | undefined =>
  typeof document === 'undefined' || typeof addEventListener !== 'function' ? undefined : document;

/** True where nothing is ever mounted. React Native has no `document` either, and says what it is. */
export const isServer = (): boolean =>
  typeof document === 'undefined' && globalThis.navigator?.product !== 'ReactNative';

type Back = (what: Return) => void;

const told = /* @__PURE__ */ new WeakMap<Document, Set<Back>>();

/**
 * Who is told when something comes back. A page is listened to once, for as long as it lives: to begin and to end it
 * would cost 0.3 ms at each turn from a view to the next.
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

/** The page's. On servers, in Node and in React Native there is none: seen and connected always, and no event ever. */
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
