// Finds what says 'use client', as bundlers do, in the library alone: React's loader reads no CommonJS, and text only.
import { load as client } from 'react-server-dom-webpack/node-loader';

export function load(url, context, next) {
  if (!url.includes('/signalbox/')) return next(url, context);
  return client(url, context, async (...given) => {
    const loaded = await next(...given);
    return { ...loaded, source: String(loaded.source).replace(/^\/\/# sourceMappingURL.*$/m, '') };
  });
}
