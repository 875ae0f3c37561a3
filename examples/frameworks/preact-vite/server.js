/** Serves the page, its files, and the API under its origin. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { render } from './dist/server/entry-server.js';

const { PORT = '3000', API_URL = '' } = process.env;
const client = new URL('dist/client/', import.meta.url);
const template = await readFile(new URL('index.html', client), 'utf8');

async function respond({ url = '/' }, response) {
  if (url.startsWith('/api/')) {
    const answer = await fetch(API_URL + url.slice('/api'.length));
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  } else if (/^\/assets\/[\w-]+\.js$/.test(url)) {
    response.writeHead(200, { 'content-type': 'text/javascript' });
    response.end(await readFile(new URL(url.slice(1), client)));
  } else if (url === '/') {
    const { html, data } = await render();
    response.writeHead(200, { 'content-type': 'text/html' });
    // functions: a `$` in the data means nothing
    response.end(template.replace('<!--data-->', () => data).replace('<!--app-->', () => html));
  } else response.writeHead(404).end();
}

createServer((request, response) => {
  respond(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  });
}).listen(Number(PORT), '127.0.0.1');
