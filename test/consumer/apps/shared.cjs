// What entries share, as CommonJS: by place, since Node gives `require` the ES modules.
const path = require('node:path');

const places = {
  signalbox: 'src/index.js',
  'signalbox/devtools': 'src/devtools/index.js',
  'signalbox/react': 'adapters/react/index.js',
  'signalbox/ssr': 'src/ssr/index.js',
  'signalbox/testing': 'src/testing/index.js',
};
const build = path.join(__dirname, 'node_modules/signalbox/dist/cjs');
const load = (entry) => require(entry in places ? path.join(build, places[entry]) : entry);

void import('./shared.js').then(async ({ shared }) => {
  console.log(JSON.stringify(await shared(load)));
});
