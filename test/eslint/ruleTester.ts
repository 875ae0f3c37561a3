/** Runs the rules on code in TypeScript, with and without the types of the program. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { signalbox } from 'signalbox/eslint-plugin';
import { test } from 'vitest';
import { buildIfStale, installTools } from '../setup/packed.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const tools: string = installTools(here('tools'));

/** A package of the tools. */
export async function tool<T>(name: string): Promise<T> {
  const path = createRequire(join(tools, 'package.json')).resolve(name);
  return (await import(pathToFileURL(path).href)) as T;
}

interface RuleTester {
  run(name: string, rule: object, cases: { valid: object[]; invalid: object[] }): void;
}
interface RuleTesterClass {
  new (config: object): RuleTester;
  describe: (title: string, body: () => void) => void;
  it: (title: string, body: () => void) => void;
  itOnly: (title: string, body: () => void) => void;
}
const { RuleTester } = await tool<{ RuleTester: RuleTesterClass }>('eslint');
const parser = await tool<{ default?: object }>('@typescript-eslint/parser');

export type Cases = Readonly<Record<string, string>>;

export interface RuleCases {
  readonly rule: keyof typeof signalbox.rules;
  /** The rule of test/SPEC.md and the claim: titles begin with this text. */
  readonly proves: string;
  readonly valid: Cases;
  /** Each case has a single problem, in the part between `«` and `»`. */
  readonly invalid: Cases;
  /** Problems found only by types: without types, nothing is reported. */
  readonly invalidWithTypes?: Cases;
}

const withoutTypes = {
  parser: parser.default ?? parser,
  parserOptions: { ecmaFeatures: { jsx: true } },
};
const withTypes = {
  parser: parser.default ?? parser,
  parserOptions: {
    ecmaFeatures: { jsx: true },
    project: './tsconfig.json',
    tsconfigRootDir: here('apps'),
    // with CI=true the parser would read the file on the disk in place of the code of the case
    disallowAutomaticSingleRunInference: true,
  },
};

/** `code` without the marks, and the place of the reported problem. */
function marked(code: string): { code: string; at: object } {
  const start = code.indexOf('«');
  const plain = code.replace(/[«»]/g, '');
  const place = (index: number): readonly [number, number] => {
    const before = plain.slice(0, index).split('\n');
    return [before.length, (before.at(-1) as string).length + 1];
  };
  const [line, column] = place(start);
  const [endLine, endColumn] = place(code.indexOf('»') - 1);
  return { code: plain, at: { messageId: 'message', line, column, endLine, endColumn } };
}

export function runRule({ rule, proves, valid, invalid, invalidWithTypes = {} }: RuleCases): void {
  buildIfStale();
  const filename = here('apps/app.tsx');
  for (const [how, languageOptions] of Object.entries({ withoutTypes, withTypes })) {
    const isTyped = languageOptions === withTypes;
    RuleTester.describe = (_, body) => body();
    const problems = { ...invalid, ...(isTyped && invalidWithTypes) };
    const accepted = { ...valid, ...(!isTyped && unmarked(invalidWithTypes)) };
    const titles = [
      ...Object.keys(accepted).map((name) => `accepts ${name}`),
      ...Object.keys(problems).map((name) => `reports ${name}`),
    ];
    const named: typeof RuleTester.it = (_, body) => {
      // oxlint-disable-next-line vitest/expect-expect -- the tester asserts
      test(`${proves}: ${how === 'withTypes' ? 'with types, ' : ''}${titles.shift()}`, body);
    };
    RuleTester.it = named;
    RuleTester.itOnly = named;
    new RuleTester({ languageOptions }).run(rule, signalbox.rules[rule], {
      valid: Object.values(accepted).map((code) => ({ code, filename })),
      invalid: Object.values(problems).map((text) => {
        const { code, at } = marked(text);
        return { code, filename, errors: [at] };
      }),
    });
  }
}

const unmarked = (cases: Cases): Cases =>
  Object.fromEntries(
    Object.entries(cases).map(([name, code]) => [name, code.replace(/[«»]/g, '')]),
  );
