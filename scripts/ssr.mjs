// `npm run ssr -- react` (or preact, solid): pages of examples/ssr-* rendered on a server, through the built package.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const [framework = 'react'] = process.argv.slice(2);

if (!existsSync(join(root, 'dist/cjs/package.json'))) {
  console.error('The package is not built: run `npm run build` first.');
  process.exit(1);
}
const outfile = join(root, 'examples/ssr/dist/main.mjs');
await build({
  entryPoints: [join(root, 'examples/ssr/main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  tsconfigRaw: {},
  logLevel: 'error',
});
const { serveExample } = await import(new URL('../examples/ssr/dist/main.mjs', import.meta.url));
await serveExample(root, framework);
