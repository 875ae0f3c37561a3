/** Serves the apps with the RealWorld API on a database of their own behind `/api`. */
import { serveApps, type AppsOptions, type Site } from '../site/serveApps.ts';
import { createBackend, type Backend } from './server/createBackend.ts';

export interface ConduitSite extends Site {
  readonly backend: Backend;
  /** A database as at the beginning. */
  renew(): Promise<void>;
}

export async function startConduit(
  options: Omit<AppsOptions, 'api' | 'example' | 'images'>,
): Promise<ConduitSite> {
  let backend = await createBackend();
  const site = await serveApps({
    ...options,
    example: 'conduit',
    // users name the address of their picture
    images: 'https:',
    api(incoming, response, url) {
      incoming.url = url;
      backend.app(incoming, response);
    },
  });
  return {
    url: site.url,
    get backend() {
      return backend;
    },
    async renew() {
      backend.close();
      backend = await createBackend();
    },
    async close() {
      await site.close();
      backend.close();
    },
  };
}
