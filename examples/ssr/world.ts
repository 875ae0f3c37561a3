/** What the pages of all three frameworks share: the resources of the demo, and a controller of one's own. */
import { Controller } from 'signalbox';
import { makeResources } from '../demo/resources.ts';
import type { Resources } from '../demo/resources.ts';

export interface World {
  readonly controller: Controller;
  readonly resources: Resources;
}

/** One per request on a server, one per page in a browser. `origin`: where `/api` is, where no page says so. */
export function makeWorld(origin?: string): World {
  // what is asked for has one identity on both sides: `/api/…`
  return { controller: new Controller(), resources: makeResources('/api', () => {}, origin) };
}
