// How a part of the story becomes a test.
import type { Visit } from './Visit.ts';

/** After each part, the page has logged no error, and each requested address was found. */
export type Play = (title: string, act: (visit: Visit) => Promise<void>) => void;
