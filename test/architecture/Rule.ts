// What a rule of the architecture is: a title, a function that finds violations, and a sample in which it finds some.
import { parseSource, type Source } from './sources.ts';

export interface Rule {
  /** One sentence, which holds if `find` finds nothing. */
  readonly title: string;
  /** The violations, without line numbers if the list of known violations may contain them. */
  readonly find: (sources: readonly Source[]) => string[];
  /** Files that break the rule, and others that do not: path → text. */
  readonly sample: Readonly<Record<string, string>>;
  /** What the rule finds in the sample. A rule that finds nothing guards nothing. */
  readonly finds: readonly string[];
}

export const sourcesOf = (sample: Rule['sample']): Source[] =>
  Object.entries(sample).map(([path, text]) => parseSource(path, text));

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const targetsOf = (source: Source): string[] =>
  source.imports.flatMap(({ target }) => (target === undefined ? [] : [target]));
