// How a part of the story becomes a test.
import type { Visit } from './Visit.ts';

/** Afterwards nobody has complained, and nothing that was asked for was missing. */
export type Play = (title: string, act: (visit: Visit) => Promise<void>) => void;
