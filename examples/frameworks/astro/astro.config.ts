import node from '@astrojs/node';
import react from '@astrojs/react';
import { defineConfig } from 'astro/config';

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // where the site is served: Astro refuses mutations from other origins
  security: { allowedDomains: [{ hostname: 'localhost' }] },
  integrations: [react()],
});
