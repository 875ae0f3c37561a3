// Loads all entries by import and by require, in this order or the other; prints those that have a store of their own.
import { createRequire } from 'node:module';
import { strangers } from './strangers.js';
import { views } from './views.js';

const require = createRequire(import.meta.url);
const [first, otherCopy, ...entries] = process.argv.slice(2);
const loaded = { import: {}, require: {} };
for (const how of first === 'import' ? ['import', 'require'] : ['require', 'import']) {
  for (const name of entries) {
    loaded[how][name] = how === 'import' ? await import(name) : require(name);
  }
}
const other = await import(otherCopy);
const found = strangers({ imported: loaded.import, required: loaded.require, views, other });
console.log(JSON.stringify({ loaded: Object.keys(loaded.require), strangers: found }));
// React leaves a port open
process.exit();
