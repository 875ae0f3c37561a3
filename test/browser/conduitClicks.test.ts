// Random clicks in the RealWorld application, on a server that is slow, fails and answers in any order.
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { frameworks } from '../../examples/ssr/bundle.ts';
import type { Fault } from '../../examples/conduit/server/Faults.ts';
import { click, clickIn, expectPage } from './conduit/clicks.ts';
import type { Visit } from './conduit/Visit.ts';
import { seed } from '../setup/seed.ts';
import { makeLab } from './conduit/makeLab.ts';

const steps = Number(process.env['CONDUIT_STEPS'] ?? 60);

/** The longest time until the page is at rest: two delays of retries. */
const REST_MS = 20_000;

const lab = makeLab();

const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ delay: fc.nat(60) }) },
  { weight: 2, arbitrary: fc.record({ delay: fc.integer({ min: 100, max: 300 }) }) },
  { weight: 1, arbitrary: fc.record({ delay: fc.nat(60), status: fc.constant(503) }) },
);

test.each(frameworks)(
  `[N18] %s: the page equals the server after ${steps} random clicks on a slow and failing server`,
  async (framework) => {
    const visit = await lab.visit(framework);
    await visit.logIn('ada');
    await expectPage(visit);
    visit.disturb(fc.sample(fault, { seed, numRuns: 499 }));
    const done: string[] = [];
    for (const one of fc.sample(click, { seed, numRuns: steps })) {
      done.push(`${one.verb} ${one.at}`);
      if (one.verb === 'wait') await visit.drawn();
      else if (one.verb !== 'look') await clickIn(visit, one);
      else
        await atRest(visit).catch((reason: unknown) => {
          throw new Error(`seed ${seed}, ${done.length} steps: ${done.slice(-20).join()}`, {
            cause: reason,
          });
        });
    }
    await atRest(visit);
    expect(visit.complaints.filter((text) => !text.includes('Failed to load resource'))).toEqual(
      [],
    );
    console.info(`${framework}: seed ${seed}, ${steps} steps, ${visit.asked.length} requests`);
  },
  60_000 + steps * 2_000,
);

/** Waits until the page equals the server: a read that has failed is sent again after a pause. */
function atRest(visit: Visit): Promise<void> {
  return vi.waitFor(() => expectPage(visit), { timeout: REST_MS, interval: 200 });
}
