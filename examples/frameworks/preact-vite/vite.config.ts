import { defineConfig } from 'vite';

/** `vite build --app` builds the page and the server. */
export default defineConfig({
  builder: {},
  environments: {
    client: { build: { outDir: 'dist/client' } },
    ssr: { build: { outDir: 'dist/server', ssr: 'src/entry-server.tsx' } },
  },
});
