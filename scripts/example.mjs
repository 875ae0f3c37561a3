// Serves one of the examples with the built package: `npm run todo -- react`, see `--help`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printHelp } from './help.mjs';
import { loadForNode } from './loadForNode.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
printHelp(`
Usage: npm run todo|conduit|ssr [-- react|preact|solid]
       npm run live
       npm run background-sync

Serves an example and prints its addresses. The framework defaults to react.
Run \`npm run build\` first.

  todo         a list of todos; ?mock: no server, ?panel: with the devtools panel
  conduit      the RealWorld application on a server with SQLite
  ssr          pages rendered on a server, as a string and as streams
  live         two API processes on one PostgreSQL, and a client in the terminal
  background-sync
               a service worker sends edits after their page is closed
  -h, --help   this text
`);
const [example = 'ssr', framework = 'react'] = process.argv.slice(2);

if (!existsSync(join(root, 'dist/cjs/package.json'))) {
  console.error('The package is not built. Run `npm run build` first.');
  process.exit(1);
}
const outfile = join(root, `examples/${example}/dist/main.mjs`);
const { serveExample } = await loadForNode(outfile, {
  entryPoints: [join(root, `examples/${example}/main.ts`)],
});
await serveExample(root, framework);
