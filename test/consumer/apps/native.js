// An app of React Native, as its bundler sees it: it imports the library, requires it, and takes it by name.
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { Controller, Endpoint } from 'signalbox';
import { Provider, appSurroundings, useDLE, useSubscription } from 'signalbox/react';
import * as named from 'signalbox/react/native';

const required = require('signalbox/react');
const read = new Endpoint(async () => 'read', { name: 'read', pollFrequency: 1000 });

function Shown() {
  useSubscription(read);
  return useDLE(read).loading ? 'loading' : 'read';
}

const app = createElement(Provider, { controller: new Controller() }, createElement(Shown));
renderToString(app);
console.log(
  JSON.stringify({
    native: typeof appSurroundings === 'function',
    same: [
      Provider === required.Provider,
      Provider === named.Provider,
      Controller === require('signalbox').Controller,
    ],
    // how often a hook asked for its screen
    screens: globalThis.screens ?? 0,
  }),
);
