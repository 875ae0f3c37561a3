// Vitest reads the file of each frame of a failed test. A frame of a page at the top of a site,
// `http://127.0.0.1:1/:2:3`, names the file "/", a directory: reading a directory fails, and the test file's results
// are lost. With a fragment, the frame names a missing file. Hooks are too late: Vitest sends the errors before hooks
// run.
import type { RunnerTestCase } from 'vitest';
import { TestRunner } from 'vitest';

const frame = /(https?:\/\/[^\s)]+?)(:\d+:\d+)(?=[\s)]|$)/gm;

// oxlint-disable-next-line import/no-default-export -- Vitest loads a runner by it
export default class PageRunner extends TestRunner {
  onTaskFinished({ result }: RunnerTestCase): void {
    for (const error of result?.errors ?? []) {
      if (error.stack !== undefined) error.stack = error.stack.replace(frame, '$1#page$2');
    }
  }
}
