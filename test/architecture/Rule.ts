// A rule of the architecture: a title, a function that finds violations, and a sample with violations.
import { parseSource, type Source } from './sources.ts';

export interface Rule {
  /** A sentence that holds if `find` finds nothing. */
  readonly title: string;
  /** Returns the violations; without line numbers if the list of known violations may contain the rule's. */
  readonly find: (sources: readonly Source[]) => string[];
  /** Files that break the rule, and others that do not: path → text. */
  readonly sample: Readonly<Record<string, string>>;
  /** The expected violations of the sample. A rule without violations in the sample guards nothing. */
  readonly finds: readonly string[];
}

export const sourcesOf = (sample: Rule['sample']): Source[] =>
  Object.entries(sample).map(([path, text]) => parseSource(path, text));

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const targetsOf = (source: Source): string[] =>
  source.imports.flatMap(({ target }) => (target === undefined ? [] : [target]));
