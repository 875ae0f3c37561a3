// Bundles the examples with the library under test.
import { fileURLToPath } from 'node:url';
import { frameworks } from '../../examples/ssr/bundle.ts';
import { libraryEntries } from '../setup/library.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** For `startTodo`, `startConduit` and `startBackgroundSync`. */
export const exampleSources = {
  root,
  frameworks,
  alias: libraryEntries,
  mode: 'development',
} as const;
