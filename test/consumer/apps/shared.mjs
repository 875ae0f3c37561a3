// What entries share, as ES modules.
import { shared } from './shared.js';

console.log(JSON.stringify(await shared((entry) => import(entry))));
