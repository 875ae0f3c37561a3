// Streamed pages with hostile text in scripts, comments and attributes: a browser runs none of the text.
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Entity, RestEndpoint } from 'signalbox';
import { serverDataTransform } from 'signalbox/ssr/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachBrowser } from '../setup/eachBrowser.ts';

class Note extends Entity {
  id = 0;
  text = '';
}
const note = new RestEndpoint({ path: '/notes/:id', schema: Note });

const ATTACK = `hi <body><img src=x onerror="self.attacked=1">`;
const inHead = (text: string) => [`<!doctype html><html><head>${text}</head><body><p>shown</p>`];

/** The flushes of each page. */
const pages: Record<string, readonly string[]> = {
  'data of a search engine': inHead(
    `<script type="application/ld+json">${JSON.stringify({ name: ATTACK })}</script>`,
  ),
  'a script': inHead(`<script>self.text = ${JSON.stringify(ATTACK)}</script>`),
  'a style': inHead(`<style>a { content: ${JSON.stringify(ATTACK)} }</style>`),
  'a comment': inHead(`<!-- ${ATTACK} -->`),
  'a title': inHead(`<title>${ATTACK}</title>`),
  'an attribute': inHead(`<meta name=a content='${ATTACK}'>`),
  'a noscript': inHead(`<noscript>${ATTACK}</noscript>`),
  'a template': inHead(`<template>${ATTACK}</template>`),
  'a script that is cut': [
    '<!doctype html><body><script>self.text = "a',
    ` b"</script><p>shown</p>`,
  ],
  'a textarea that is cut': ['<!doctype html><body><textarea>a', ` b</textarea><p>shown</p>`],
};

let server: Server;
beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const flushes = pages[decodeURIComponent(url.slice(1))] ?? [];
    const controller = new Controller();
    async function* html() {
      for (const [id, flush] of flushes.entries()) {
        await controller.setResponse(note, { id }, { id, text: `${ATTACK}</script>${ATTACK}` });
        yield Buffer.from(flush);
        await pause(20);
      }
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    pipeline(Readable.from(html()), serverDataTransform(controller), response, () => {});
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

eachBrowser(({ newContext }) => {
  test.each(Object.keys(pages))(
    '[H5] a browser runs no injected HTML in %s of a streamed page',
    async (name) => {
      const page = await (await newContext()).newPage();
      const complaints: unknown[] = [];
      page.on('pageerror', (error) => complaints.push(error));
      const { port } = server.address() as AddressInfo;
      await page.goto(`http://127.0.0.1:${port}/${encodeURIComponent(name)}`, {
        waitUntil: 'load',
      });
      const seen = await page.evaluate(() => {
        const told = self as { attacked?: number; __signalbox?: readonly object[] };
        return {
          attacked: told.attacked,
          parts: told.__signalbox?.length,
          images: document.images.length,
          shown: [...document.querySelectorAll('body > p')].map(({ textContent }) => textContent),
          texts: [...document.body.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
            .length,
        };
      });
      const parts = pages[name]?.length;
      expect({ ...seen, complaints }).toEqual({
        attacked: undefined,
        parts,
        images: 0,
        shown: ['shown'],
        texts: 0,
        complaints: [],
      });
    },
  );
});
