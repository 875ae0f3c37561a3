// Bundles a file for browsers with Parcel: `parcel.mjs <folder with the tools> <file>`.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [tools, entry] = process.argv.slice(2);
const require = createRequire(join(tools, 'package.json'));
const { Parcel } = require('@parcel/core');
const app = {
  context: 'browser',
  distDir: 'parcel',
  distEntry: 'app.cjs',
  includeNodeModules: true,
  outputFormat: 'global',
};
await new Parcel({
  entries: entry,
  defaultConfig: require.resolve('@parcel/config-default'),
  mode: 'production',
  defaultTargetOptions: { shouldOptimize: false, sourceMaps: false },
  shouldDisableCache: true,
  shouldAutoInstall: false,
  targets: { app },
}).run();
process.exit();
