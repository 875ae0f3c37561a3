/** The HTML around what a framework renders that does not render whole documents. */
import type { Visit } from './startSite.ts';

export const opening = (head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>signalbox</title><link rel="stylesheet" href="/app.css">${head}</head><body><div id="root">`;

export const closing = ({ nonce }: Visit): string =>
  `</div><script type="module" nonce="${nonce}" src="/client.js"></script></body></html>`;
