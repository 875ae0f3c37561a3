// Loads the library both ways from an ES module, and lets a React tree meet through both.
import { createRequire } from 'node:module';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';

const require = createRequire(import.meta.url);
const [imported, required] = [await import('signalbox'), require('signalbox')];
const [importedReact, requiredReact] = [
  await import('signalbox/react'),
  require('signalbox/react'),
];

const controller = new required.Controller();
const Child = () => String(importedReact.useController() === controller);
const tree = createElement(requiredReact.Provider, { controller }, createElement(Child));

const same = {};
for (const name of ['react', 'preact', 'solid']) {
  same[name] =
    (await import(`signalbox/${name}`)).Provider === require(`signalbox/${name}`).Provider;
}
console.log(
  JSON.stringify({
    names: Object.keys(imported),
    core: imported.Controller === required.Controller,
    same,
    rendered: renderToString(tree),
  }),
);
