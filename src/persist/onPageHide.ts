/** Detects when a page may be about to end. */

/** Calls `leave` each time the page may have become invisible for good. Returns a function that stops. */
export type PageHideSource = (leave: () => void) => () => void;

/** Hidden, closed or left: browsers guarantee no event after these. Without a page: never. */
export const onPageHide: PageHideSource = (leave) => {
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
