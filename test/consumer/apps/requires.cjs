// Loads the library both ways from CommonJS; with an argument, the CommonJS build by its place.
const path = require('node:path');

const names = ['react', 'preact', 'solid'];
if (process.argv[2] === 'by-place') {
  const build = path.join(__dirname, 'node_modules/signalbox/dist/cjs');
  const { Controller } = require(path.join(build, 'src/index.js'));
  const kinds = names.map(
    (name) => typeof require(path.join(build, `adapters/${name}/index.js`)).Provider,
  );
  console.log(JSON.stringify([typeof Controller, ...kinds]));
} else {
  void import('signalbox').then(({ Controller }) => {
    console.log(JSON.stringify(Controller === require('signalbox').Controller));
  });
}
