// The React Compiler, as the build of an app runs the compiler.
import { transformAsync } from '@babel/core';
import reactCompiler from 'babel-plugin-react-compiler';
import type { Plugin } from 'vitest/config';

export interface Compiled {
  readonly code: string;
  readonly map: unknown;
  /** Compiled components and hooks. */
  readonly taken: readonly string[];
  /** Components or hooks that were not compiled, with the reason. */
  readonly left: readonly string[];
}

interface Told {
  readonly kind: string;
  readonly fnName?: string | null;
  readonly reason?: string;
  readonly detail?: { readonly reason?: string; readonly options?: { readonly reason?: string } };
}

/** Compiles a file; types and JSX stay unchanged. */
export async function compiled(code: string, filename: string): Promise<Compiled> {
  const taken: string[] = [];
  const left: string[] = [];
  const logEvent = (_: string, { kind, fnName, reason, detail }: Told): void => {
    if (kind === 'CompileSuccess') taken.push(fnName ?? '');
    else if (kind.startsWith('Compile'))
      left.push(reason ?? detail?.options?.reason ?? detail?.reason ?? kind);
  };
  const result = await transformAsync(code, {
    filename,
    babelrc: false,
    configFile: false,
    sourceMaps: true,
    parserOpts: { plugins: ['typescript', 'jsx'] },
    plugins: [[reactCompiler, { target: '19', logger: { logEvent } }]],
  });
  if (typeof result?.code !== 'string') throw new Error(`${filename} does not compile`);
  return { code: result.code, map: result.map, taken, left };
}

/** Compiles the components of tests; the library itself is shipped without the compiler. */
export function compiledTests(): Plugin {
  return {
    name: 'react-compiler',
    enforce: 'pre',
    async transform(code, id) {
      if (!/\/test\/.*\.tsx$/.test(id)) return undefined;
      const { code: output, map } = await compiled(code, id);
      return { code: output, map: map as never };
    },
  };
}
