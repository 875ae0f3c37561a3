// The behaviour suite of the adapters: the behaviours of every framework's adapter, counted.
import { afterEach, describe, test } from 'vitest';
import { deleting } from './deleting.ts';
import type { Driver } from './driver.ts';
import { completeness } from './completeness.ts';
import { errors } from './errors.ts';
import { freshness } from './freshness.ts';
import { hooks } from './hooks.ts';
import { infinite } from './infinite.ts';
import { lists } from './lists.ts';
import { lifetime } from './lifetime.ts';
import { liveness } from './live.ts';
import { mutating } from './mutating.ts';
import { naming } from './naming.ts';
import { ordering } from './ordering.ts';
import { optimism } from './optimism.ts';
import { reading } from './reading.ts';
import { selecting } from './selecting.ts';
import { related } from './related.ts';
import { reads } from './several.ts';
import { statuses } from './status.ts';
import { writing } from './writing.ts';

export type { Driver, Scene } from './driver.ts';

const behaviours = {
  ...reading,
  ...reads,
  ...related,
  ...writing,
  ...optimism,
  ...ordering,
  ...deleting,
  ...lists,
  ...naming,
  ...freshness,
  ...completeness,
  ...errors,
  ...hooks,
  ...selecting,
  ...statuses,
  ...mutating,
  ...infinite,
  ...lifetime,
  ...liveness,
};

/** Declares all behaviours for a driver; a driver's test file calls this function once. */
export function contract(driver: Driver): void {
  const { name, gaps = {} } = driver;
  // eslint-disable-next-line vitest/valid-title
  describe(name, () => {
    afterEach(() => document.body.replaceChildren());
    const closed = Object.entries(behaviours).filter(([title]) => !(title in gaps));
    const open = Object.entries(behaviours).filter(([title]) => title in gaps);
    // eslint-disable-next-line vitest/expect-expect
    test.each(closed)('%s', (_, behaviour) => behaviour(driver));
    // a gap that closes fails this test: the entry in `gaps` must be removed
    // eslint-disable-next-line vitest/expect-expect
    if (open.length > 0) test.fails.each(open)('%s (gap)', (_, behaviour) => behaviour(driver));
    test('[H1] the suite has at least 130 behaviours, and prints their number', ({ expect }) => {
      const { length } = Object.keys(behaviours);
      console.log(`${name}: ${length} behaviours, ${open.length} of them gaps`);
      expect(length).toBeGreaterThanOrEqual(130);
    });
    test('[H1] each gap names a behaviour and has a reason', ({ expect }) => {
      for (const [title, reason] of Object.entries(gaps)) {
        expect(Object.keys(behaviours)).toContain(title);
        expect(reason).toMatch(/\w+ \w+ \w+/);
      }
    });
  });
}
