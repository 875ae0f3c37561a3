// The work of the library in steps: a test that counts does not depend on the machine.
import { Session } from 'node:inspector/promises';

/** How often each block of code runs while `work` runs, in sum; without tests, packages and the platform. */
export async function blocksRun(work: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => !/node_modules|^node:|\.test\.ts/.test(url))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  } finally {
    session.disconnect();
  }
}
