// Bundles a file with Metro: `metro.mjs <folder with the tools> <file> <react-native or metro> <settings as JSON>`.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [tools, entry, framework, settings] = process.argv.slice(2);
const require = createRequire(join(tools, 'package.json'));
const { runBuild } = require('metro');
const { FileStore } = require('metro-cache');
const { getDefaultConfig, mergeConfig } = require('metro-config');
const defaults =
  framework === 'react-native'
    ? require('@react-native/metro-config').getDefaultConfig(process.cwd())
    : await getDefaultConfig(process.cwd());
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
    // Metro's own compiles nothing unless the app has a configuration of Babel
    babelTransformerPath: require.resolve('@react-native/metro-babel-transformer'),
    ...transformer,
  },
  // of React Native itself, which is not installed
  serializer: { getModulesRunBeforeMainModule: () => [] },
});
const options = { entry, dev: false, minify: false, platform: 'ios' };
const { code } = await runBuild(config, options);
writeFileSync('metro.cjs', code);
process.exit();
