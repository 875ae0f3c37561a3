// Where the names of the package lead when an example is bundled for a test.
import { fileURLToPath } from 'node:url';
import { frameworks } from '../../examples/ssr/bundle.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isBuilt = process.env['SIGNALBOX_DIST'] === '1';

// the suite runs on the sources; with SIGNALBOX_DIST=1 on the package, as the examples do
const alias: Readonly<Record<string, string>> = isBuilt
  ? {}
  : {
      ...Object.fromEntries(
        frameworks.map((name) => [`signalbox/${name}`, `${root}adapters/${name}/index.ts`]),
      ),
      'signalbox/devtools/panel': `${root}src/devtools/panel/index.ts`,
      'signalbox/offline': `${root}src/managers/offline.ts`,
      'signalbox/testing/msw': `${root}src/testing/msw.ts`,
      signalbox: `${root}src/index.ts`,
    };

/** For `startTodo`, `startConduit` and `startBackgroundSync`. */
export const exampleSources = { root, frameworks, alias, mode: 'development' } as const;
