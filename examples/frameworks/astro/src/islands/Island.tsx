/** Each island is a tree of its own; all islands of a page share one controller. */
import { useState, type ReactNode } from 'react';
import { Controller } from 'signalbox';
import { Provider } from 'signalbox/react';
import { hydrateController, type ServerState } from 'signalbox/ssr';

const pageController = new Controller();

export interface IslandProps {
  /** What the page has fetched: `dehydrate(controller)`. */
  readonly state: ServerState;
}

export function Island({ state, children }: IslandProps & { readonly children: ReactNode }) {
  const [controller] = useState(() => {
    // on the server, where requests must share nothing, each island has its own
    const shared = typeof window === 'undefined' ? new Controller() : pageController;
    hydrateController(shared, state);
    return shared;
  });
  return <Provider controller={controller}>{children}</Provider>;
}
