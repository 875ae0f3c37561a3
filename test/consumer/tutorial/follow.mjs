// Opens the application that a newcomer has built, and changes the list while the server is slow; prints each state of the page.
import { setTimeout } from 'node:timers/promises';
import { Window } from 'happy-dom';

const window = new Window({ url: 'http://localhost:5173/' });
Object.assign(globalThis, { window, document: window.document });
// Node 20 has none
globalThis.navigator ??= window.navigator;
window.document.body.innerHTML = '<main></main>';

const send = globalThis.fetch;
let answerMutations;
const slow = new Promise((resolve) => (answerMutations = resolve));
globalThis.fetch = async (input, init) => {
  if (init.method !== 'GET') await slow;
  return send(input, init);
};

/** The HTML of the page once `text` is in the page. */
async function shows(text) {
  for (let waited = 0; waited < 20_000; waited += 10) {
    const html = window.document.querySelector('main').innerHTML.replaceAll(/<!--.*?-->/g, '');
    if (html.includes(text)) return html;
    await setTimeout(10);
  }
  return `never shows ${text}: ${window.document.body.innerHTML}`;
}

const listOf = (html) => /<ul>.*<\/ul>/.exec(html)?.[0] ?? html;

const { change } = await import('./app.mjs');
const loaded = await shows('<button>open</button>');
window.document.querySelector('button').click();
const finished = await shows('<button>done</button>');
const changing = change();
const optimistic = listOf(await shows('Call Grace'));
answerMutations();
await changing;
const confirmed = listOf(await shows('Call Grace'));
const stored = await (await send(`${process.argv[2]}/todos`)).json();
console.log(JSON.stringify({ loaded, finished, optimistic, confirmed, stored }));
process.exit(0);
