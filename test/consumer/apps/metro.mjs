// Bundles a file with Metro: `metro.mjs <folder with the tools> <file> <react-native or metro> <settings as JSON>`.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [tools, entry, framework, settings] = process.argv.slice(2);
const require = createRequire(join(tools, 'package.json'));
const { runBuild } = require('metro');
const { FileStore } = require('metro-cache');
const { getDefaultConfig, mergeConfig } = require('metro-config');
const isReactNative = framework === 'react-native';
const defaults = isReactNative
  ? require('@react-native/metro-config').getDefaultConfig(process.cwd())
  : await getDefaultConfig(process.cwd());
/** Metro's own transformer compiles nothing without a configuration of Babel in the app: imports are left to Metro. */
const compiler = isReactNative
  ? { babelTransformerPath: require.resolve('@react-native/metro-babel-transformer') }
  : {
      babelTransformerPath: require.resolve('metro-babel-transformer'),
      getTransformOptions: async () => ({ transform: { experimentalImportSupport: true } }),
    };
const { resolver, transformer } = JSON.parse(settings);
const config = mergeConfig(defaults, {
  projectRoot: process.cwd(),
  watchFolders: [process.cwd(), join(tools, 'node_modules')],
  cacheStores: [new FileStore({ root: join(process.cwd(), '.metro') })],
  maxWorkers: 1,
  reporter: { update() {} },
  resolver: { useWatchman: false, ...resolver },
  transformer: {
    asyncRequireModulePath: require.resolve('metro-runtime/src/modules/asyncRequire'),
    ...compiler,
    ...transformer,
  },
  // of React Native itself, which is not installed
  serializer: { getModulesRunBeforeMainModule: () => [] },
});
const options = { entry, dev: false, minify: false, platform: 'ios' };
const { code } = await runBuild(config, options);
writeFileSync('metro.cjs', code);
process.exit();
