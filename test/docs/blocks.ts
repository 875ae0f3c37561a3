// The code blocks of the documentation: the place of each block, and how the block is tested.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root: string = fileURLToPath(new URL('../..', import.meta.url));

export const frameworks = ['node', 'react', 'preact', 'solid'] as const;
export type Framework = (typeof frameworks)[number];

/*
 *   ```ts                          compiled and run, in every framework that the page shows
 *   ```tsx react                   compiled and run in that framework
 *   ```ts shared                   the resources that all pages use: compiled, run, and imported by all pages
 *   ```ts not run: reason          compiled only
 *   ```ts not compiled: reason     neither: another library's code
 *   ```sh, ```json, ```text …      no code of ours
 */
export interface Block {
  /** Of the first line of code, from 1. */
  readonly line: number;
  readonly language: string;
  readonly framework: Framework | undefined;
  readonly shared: boolean;
  readonly code: string;
  /** Why the block does not run, or is not compiled. */
  readonly notRun: string | undefined;
  readonly notCompiled: string | undefined;
}

export interface Page {
  /** From the root of the project. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

const FENCE = /(?:^<!-- (not \w+: .+) -->\n+)?^```(\w+)?([^\n]*)\n([\s\S]*?)^```$/gm;

/** Pages with blocks that a separate type test compiles, and the missing platform. */
const elsewhere: Readonly<Record<string, string>> = { 'docs/react-native.md': 'React Native' };

/** The blocks of a page, including blocks in HTML comments: these prepare the environment of the reader. */
export function blocksOf(path: string, text: string): Block[] {
  return [...text.matchAll(FENCE)].map((match) => {
    const { 0: all, 1: marker = '', 2: language = '', 3: info = '', 4: code = '' } = match;
    const fence = match.index + all.indexOf('```');
    const [, how, reason] = /not (run|compiled): (.+)$/.exec(marker || info) ?? [];
    const words = info.trim().split(/\s+/);
    const foreign = /^tsx?$/.test(language) ? elsewhere[path] : `language: ${language}`;
    return {
      line: text.slice(0, fence).split('\n').length + 1,
      language,
      framework: frameworks.find((name) => words.includes(name)),
      shared: words.includes('shared'),
      code,
      notRun: how === 'run' ? reason : undefined,
      notCompiled: how === 'compiled' ? reason : foreign,
    };
  });
}

/** README, everything below docs and skills. */
export function readPages(): Page[] {
  const below = ['docs', 'skills'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => `${folder}/${path}`),
  );
  return ['README.md', ...below.sort()].map((path) => {
    const text = readFileSync(root + path, 'utf8');
    return { path, text, blocks: blocksOf(path, text) };
  });
}

/** The frameworks of the runs of a page: the shown frameworks, else none. */
export function frameworksOf({ blocks }: Page): Framework[] {
  const compiled = blocks.filter(({ notCompiled }) => notCompiled === undefined);
  if (compiled.length === 0) return [];
  const shown = new Set(compiled.map(({ framework }) => framework));
  const views = frameworks.filter((name) => shown.has(name));
  return views.length === 0 ? ['node'] : views;
}
