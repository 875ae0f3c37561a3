// Runs every project of the suite but the examples of frameworks, which `npm run test:frameworks` builds, and closes with
// a plain line of counts. Tests that wait (for browsers and servers) run beside tests that compute, in a second Vitest,
// printed last. Arguments go to Vitest, which then runs alone.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './buildIfStale.mjs';
import { unpackLibrary } from './unpack.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
// A test that never yields cannot be stopped by vitest's own time limit.
const LIMIT_MS = 25 * 60_000;
// Programs written in Go collect garbage a quarter as often, those of Node a quarter as often among new objects.
const collectingSeldom = { GOGC: '400', NODE_OPTIONS: '--max-semi-space-size=64' };

const given = process.argv.slice(2);
const all = '--project=!frameworks';
const parts =
  given.length > 0
    ? [{ name: 'vitest', args: given.some(isProject) ? given : [all, ...given], env: {} }]
    : ['computing', 'waiting'].map((name) => ({
        name,
        args: [all],
        env: { TEST_PART: name },
      }));

mkdirSync(`${root}test-results`, { recursive: true });
// Tests run on the packed files. Reports of coverage name the sources, so coverage runs the sources.
const library = {};
if (!given.some((argument) => argument.startsWith('--coverage'))) {
  await buildIfStale(root);
  // `.ci/run` has unpacked for several runs
  library.SIGNALBOX_PACKAGE = process.env.SIGNALBOX_PACKAGE ?? unpackLibrary(root);
}
const runs = parts.map(start);
process.on('SIGINT', () => stop('SIGINT'));
process.on('SIGTERM', () => stop('SIGTERM'));
const watchdog = setTimeout(() => {
  console.error(`The suite did not end within ${LIMIT_MS / 60_000} minutes.`);
  stop('SIGKILL');
}, LIMIT_MS);

const results = await Promise.all(runs.map(({ result }) => result));
clearTimeout(watchdog);
for (const { output } of runs) process.stdout.write(Buffer.concat(output));

// again, where the end of a long log shows the failures
for (const failure of results.flatMap(({ failures }) => failures)) console.log(failure);
const sum = (name) => results.reduce((total, result) => total + result[name], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') > 0 || results.some(({ passed }) => passed === 0) ? 1 : 0;

/** Runs Vitest in a separate process group, so that workers end with Vitest. The output of the second run is kept for the end. */
function start({ name, args, env }, at) {
  const report = `${root}test-results/${name}.json`;
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args],
    {
      cwd: root,
      env: { ...collectingSeldom, ...process.env, ...library, ...env },
      stdio: at > 0 ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      detached: true,
    },
  );
  const output = [];
  for (const stream of [vitest.stdout, vitest.stderr])
    stream?.on('data', (chunk) => output.push(chunk));
  const result = new Promise((resolve) => {
    vitest.on('close', (code) => {
      const counts = count(report);
      // An error outside any test (a file that does not load, a rejection nobody awaits) is a failure too.
      const outside = code !== 0 && counts.failed === 0;
      if (outside) counts.failures.push(`Failed outside of any test, in the part "${name}"`);
      resolve({ ...counts, failed: outside ? 1 : counts.failed });
    });
  });
  return { vitest, output, result };
}

function isProject(argument) {
  return argument.startsWith('--project');
}

function stop(signal) {
  for (const { vitest } of runs) {
    const { pid } = vitest;
    if (pid === undefined) continue;
    try {
      process.kill(-pid, signal);
    } catch {
      // The group has ended by itself.
    }
  }
}

function count(report) {
  try {
    const found = JSON.parse(readFileSync(report, 'utf8'));
    const broken = found.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    );
    return {
      passed: found.numPassedTests,
      failed: found.numFailedTests + broken.length,
      skipped: found.numPendingTests + found.numTodoTests,
      failures: [
        ...broken.map(({ name, message }) => `Failed: ${name}\n${message}`),
        ...found.testResults.flatMap(failedTests),
      ],
    };
  } catch (error) {
    return { passed: 0, failed: 1, skipped: 0, failures: [`No report: ${String(error)}`] };
  }
}

function failedTests({ name, assertionResults }) {
  return assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => {
      return `Failed: ${name} > ${fullName}\n${failureMessages.join('\n')}`;
    });
}
