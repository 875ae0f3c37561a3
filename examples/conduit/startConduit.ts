/** Serves the apps with the RealWorld API on a database of their own behind `/api`. */
import { serveApps, type AppsOptions, type Site } from '../site/serveApps.ts';
import { createBackend, type Backend } from './server/createBackend.ts';

export interface ConduitSite extends Site {
  readonly backend: Backend;
}

export async function startConduit(
  options: Omit<AppsOptions, 'api' | 'example'>,
): Promise<ConduitSite> {
  const backend = await createBackend();
  const site = await serveApps({
    ...options,
    example: 'conduit',
    api(incoming, response, url) {
      incoming.url = url;
      backend.app(incoming, response);
    },
  });
  return {
    ...site,
    backend,
    async close() {
      await site.close();
      backend.close();
    },
  };
}
