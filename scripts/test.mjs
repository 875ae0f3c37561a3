// Runs every project of the suite but the examples of frameworks, which `npm run test:frameworks` builds (arguments go to
// vitest), and closes with one plain line of counts.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const report = `${root}test-results/vitest.json`;
// A test that never yields cannot be stopped by vitest's own time limit.
const LIMIT_MS = 25 * 60_000;

mkdirSync(`${root}test-results`, { recursive: true });
rmSync(report, { force: true });

const vitest = spawn(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project=!frameworks',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  // A group of its own, so that the workers end with it.
  { cwd: root, stdio: 'inherit', detached: true },
);
const stop = (signal) => {
  try {
    process.kill(-vitest.pid, signal);
  } catch {
    // The group has ended by itself.
  }
};
process.on('SIGINT', () => stop('SIGINT'));
process.on('SIGTERM', () => stop('SIGTERM'));
const watchdog = setTimeout(() => {
  console.error(`The suite did not end within ${LIMIT_MS / 60_000} minutes.`);
  stop('SIGKILL');
}, LIMIT_MS);

const code = await new Promise((resolve) => vitest.on('exit', (status) => resolve(status ?? 1)));
clearTimeout(watchdog);

const { passed, failed, skipped } = count();
// An error outside any test (a file that does not load, a rejection nobody awaits) is a failure too.
const failures = code !== 0 && failed === 0 ? 1 : failed;
console.log(`${passed} passed, ${failures} failed, ${skipped} skipped`);
process.exitCode = failures > 0 || passed === 0 ? 1 : 0;

function count() {
  try {
    const found = JSON.parse(readFileSync(report, 'utf8'));
    const broken = found.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    );
    return {
      passed: found.numPassedTests,
      failed: found.numFailedTests + broken.length,
      skipped: found.numPendingTests + found.numTodoTests,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
