// Serves an example with the built package: `npm run todo -- react`, see `--help`.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './buildIfStale.mjs';
import { printHelp } from './help.mjs';
import { loadForNode } from './loadForNode.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
printHelp(`
Usage: npm run todo|conduit|ssr [-- react|preact|solid]
       npm run board
       npm run live
       npm run background-sync

Serves an example and prints its addresses. The framework defaults to react.
Builds the package first if necessary.

  todo         a list of todos; ?mock: no server, ?panel: with the devtools panel
  conduit      the RealWorld application on a server with SQLite
  board        a board of issues in React, kept equal in all tabs and browsers
  ssr          pages rendered on a server, as a string and as streams
  live         two API processes on one PostgreSQL, and a client in the terminal
  background-sync
               a service worker sends edits after their page is closed
  -h, --help   this text
`);
const [example = 'ssr', framework = 'react'] = process.argv.slice(2);

await buildIfStale(root);
const outfile = join(root, `examples/${example}/dist/main.mjs`);
const { serveExample } = await loadForNode(outfile, {
  entryPoints: [join(root, `examples/${example}/main.ts`)],
});
await serveExample(root, framework);
