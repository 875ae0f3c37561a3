/** What the pages of all three frameworks share: the resources of the demo, and a controller of one's own. */
import { Controller } from 'signalbox';
import { makeResources } from '../demo/resources.ts';
import type { Resources } from '../demo/resources.ts';

export interface World {
  readonly controller: Controller;
  readonly resources: Resources;
}

export interface WorldOptions {
  /** Where `/api` is, where no page says so. */
  readonly origin?: string;
  /** What is asked for expires at once. */
  readonly stale?: boolean;
}

/** One per request on a server, one per page in a browser. */
export function makeWorld({ origin, stale = false }: WorldOptions = {}): World {
  // what is asked for has one identity on both sides: `/api/…`
  const policies = stale ? { dataExpiryLength: 0 } : {};
  return {
    controller: new Controller(policies),
    resources: makeResources('/api', () => {}, origin),
  };
}
