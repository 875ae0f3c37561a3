// Runs the blocks of each page that shows a framework, as a test per page.
import { afterEach, expect, inject, test, vi } from 'vitest';
import type { Framework } from './blocks.ts';
import { stage } from './PageWorld.ts';
import type { Mount, Stage } from './PageWorld.ts';

const nowhere: Mount = () => {
  throw new Error('this page shows no framework');
};

/** Warnings of the library are failures: an example that needs a warning says so with `not run`. */
export function runPages(framework: Framework, mount: Mount = nowhere): void {
  afterEach(() => vi.unstubAllGlobals());
  test.each(inject('pages')[framework])(
    '[CODE] the code of $path runs without a warning of the library',
    async ({ file }) => {
      const warned = vi.spyOn(console, 'warn');
      // frameworks print the errors that boundaries catch
      vi.spyOn(console, 'error').mockImplementation(() => {});
      const on = stage(mount);
      const { run } = (await import(/* @vite-ignore */ file)) as {
        run: (on: Stage) => Promise<void>;
      };
      try {
        await run(on);
      } finally {
        on.page.clear();
      }
      expect(
        warned.mock.calls.flat().filter((said) => String(said).includes('[signalbox')),
      ).toEqual([]);
    },
  );
}
