import { defineConfig } from 'vite';

/** The API under the origin of the page. */
const proxy = {
  '/api': {
    target: process.env.API_URL ?? '',
    rewrite: (path: string) => path.replace('/api', ''),
  },
};

export default defineConfig({
  server: { proxy },
  preview: { host: '127.0.0.1', port: Number(process.env.PORT ?? 4173), proxy },
});
