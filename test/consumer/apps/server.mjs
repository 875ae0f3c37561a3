// A server component's view of the library: node runs it with the condition react-server.
import { register } from 'node:module';
import { PassThrough } from 'node:stream';
import { createElement } from 'react';
import { renderToPipeableStream } from 'react-server-dom-webpack/server';

register('./clientModules.mjs', import.meta.url);
const { Controller } = await import('signalbox');
const react = await import('signalbox/react');
const signals = await import('signalbox/react/signals');
const testing = await import('signalbox/testing/react');

const said = (call) => {
  try {
    return call();
  } catch ({ message }) {
    return message;
  }
};
const reference = (value) => value?.$$typeof === Symbol.for('react.client.reference');
// a bundler knows where client modules go; here any place will do
const places = new Proxy({}, { get: (_, id) => ({ id, chunks: [], name: '*' }) });
const page = createElement(react.Provider, null, createElement('p', null, 'from the server'));
const out = new PassThrough();
let text = '';
out.on('data', (chunk) => (text += chunk));
out.on('end', () =>
  console.log(
    JSON.stringify({
      core: typeof new Controller().fetch,
      references: [react.Provider, react.For, signals.$, testing.MockResolver].map(reference),
      hook: said(() => react.useSuspense()),
      page: text.includes('from the server') && text.includes('Provider'),
    }),
  ),
);
renderToPipeableStream(page, places).pipe(out);
