// Vitest reads the file of each frame of a failed test. A frame of a page at the top of its site, `http://127.0.0.1:1/:2:3`,
// has the file "/", a directory: reading it fails, and results of the file are lost. A fragment makes it a file that is
// not there. Hooks come too late: Vitest sends the errors before it calls them.
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
