/** When a page may be about to die. */

/** Calls `leave` each time nobody may be able to see the page again. Gives back how to stop. */
export type Leaving = (leave: () => void) => () => void;

/** Hidden, closed or left: browsers promise no event after these. Without a page: never. */
export const pageLeaving: Leaving = (leave) => {
  const { document: page } = globalThis as { document?: Document };
  if (page === undefined) return () => {};
  const hide = () => {
    if (page.visibilityState === 'hidden') leave();
  };
  page.addEventListener('visibilitychange', hide);
  page.defaultView?.addEventListener('pagehide', leave);
  return () => {
    page.removeEventListener('visibilitychange', hide);
    page.defaultView?.removeEventListener('pagehide', leave);
  };
};
