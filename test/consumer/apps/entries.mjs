// Loads each entry that is named, both ways, and says what it misses.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const found = {};
for (const entry of process.argv.slice(2)) {
  try {
    await import(entry);
    require(entry);
    found[entry] = 'loads';
  } catch ({ message }) {
    found[entry] = /Cannot find (?:package|module) '([^']+)'/.exec(message)?.[1] ?? message;
  }
}
console.log(JSON.stringify(found));
