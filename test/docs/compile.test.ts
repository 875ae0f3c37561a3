// The blocks of the documentation compile, and blocks that do not run give a reason.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { frameworks, frameworksOf, readPages, root } from './blocks.ts';
import { libraryTypes } from '../setup/library.ts';
import { oneChecker } from '../setup/oneChecker.ts';
import { folder } from './write.ts';

// the options of users: strict, without the stricter options of this repository
const options = {
  extends: `${root}tsconfig.json`,
  compilerOptions: {
    noImplicitOverride: false,
    noUncheckedIndexedAccess: false,
    noEmit: true,
    ...libraryTypes,
  },
  include: ['resources.ts', ...frameworks.map((name) => `${name}/**/*.tsx`)],
  exclude: [],
};

/** The errors in all blocks, with these compiler options besides. */
async function compile(compilerOptions: object): Promise<string> {
  const config = {
    ...options,
    compilerOptions: { ...options.compilerOptions, ...compilerOptions },
  };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config));
  const tsc = `${root}node_modules/typescript/bin/tsc`;
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tsc, '-p', folder, ...oneChecker], (_error, stdout) =>
      resolve(stdout),
    );
  });
  // the path and lines of the page
  return said.replace(/^(?:.*\/)?(?:node|react|preact|solid)\/(.*?)(?:\.solid)?\.tsx/gm, '$1.md');
}

test('[CODE] the blocks of the documentation compile', { timeout: 120_000 }, async () => {
  expect(await compile({})).toBe('');
});

test(
  '[E7] the blocks of the documentation compile without strict',
  { timeout: 120_000 },
  async () => {
    const errors = await compile({ strict: false, exactOptionalPropertyTypes: false });
    // the sources themselves are strict
    expect(errors.replace(/^(?:src|adapters)\/.*\n(?:[ ]+.*\n)*/gm, '')).toBe('');
  },
);

test('[CODE] each block of the documentation has a language, and more than 200 blocks run', () => {
  const pages = readPages();
  const blocks = pages.flatMap((page) => page.blocks.map((block) => ({ ...block, page })));
  const reasons: Record<string, number> = {};
  for (const { notRun, notCompiled } of blocks) {
    const reason = notCompiled ?? (notRun === undefined ? 'run' : `compiled only: ${notRun}`);
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  const runs = pages.flatMap((page) =>
    frameworksOf(page).map((framework) => ({ page, framework })),
  );
  console.log('Documentation:', { pages: pages.length, runs: runs.length, blocks: reasons });
  // a block without a language is neither
  expect(blocks.filter(({ language }) => language === '').map(({ page }) => page.path)).toEqual([]);
  expect(runs.length).toBeGreaterThan(90);
  expect(reasons['run']).toBeGreaterThan(200);
});
