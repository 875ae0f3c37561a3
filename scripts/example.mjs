// `npm run ssr -- react`, `npm run todo -- react`, `npm run conduit -- react` (or preact, solid), `npm run live`: one of the examples, through the built package.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const [example = 'ssr', framework = 'react'] = process.argv.slice(2);

if (!existsSync(join(root, 'dist/cjs/package.json'))) {
  console.error('The package is not built: run `npm run build` first.');
  process.exit(1);
}
const outfile = join(root, `examples/${example}/dist/main.mjs`);
await build({
  entryPoints: [join(root, `examples/${example}/main.ts`)],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  tsconfigRaw: {},
  logLevel: 'error',
});
const { serveExample } = await import(pathToFileURL(outfile).href);
await serveExample(root, framework);
