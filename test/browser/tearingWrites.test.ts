// Components mount in React's concurrent renders while a timer writes the shown counter: no painted frame is torn.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundlePage } from '../setup/bundlePage.ts';
import { headlessShellOfFile } from '../setup/sharedBrowser.ts';
import type { Hook } from './tearing/counter.tsx';
import type { Outcome, Scene } from './tearing/writing.tsx';

const browser = headlessShellOfFile();

/** TEARING=pairs: each hook alone and each pair, all kinds of mounts and writes, TEARING_TRIES times (100). */
const thorough = process.env['TEARING'] === 'pairs';
const TRIES = Number(process.env['TEARING_TRIES'] ?? (thorough ? 100 : 10));
const THROTTLING = thorough ? 4 : 1;
// at normal speed as much as with throttling: React gives way to the browser every 5 ms
const COST_MS = thorough ? 1 : 2;
const TEST_LIMIT_MS = thorough ? 86_400_000 : 60_000;

const hooks = [
  'useSuspense',
  'useEntity',
  'useQuery',
  'useCache',
  'useDLE',
  'useLive',
  'For',
] as const satisfies readonly Hook[];

type Kind = Pick<Scene, 'hooks' | 'by' | 'write' | 'late' | 'every'> &
  Partial<Pick<Scene, 'cost' | 'readCost' | 'isNested'>>;

const ways = (hooksOfRow: readonly Hook[]): Kind[] =>
  (['transition', 'deferred', 'suspense'] as const).flatMap((by) =>
    (['timer', 'transition'] as const).flatMap((write) =>
      // React renders deferred values apart from a transition that another write has started
      (write === 'timer' ? [false, true] : [false]).flatMap((late) =>
        [10, 50, 200].map((every) => ({ hooks: hooksOfRow, by, write, late, every })),
      ),
    ),
  );

const pairs = hooks.flatMap((one, at) =>
  hooks.slice(at).flatMap((other) =>
    one === other
      ? [[one]]
      : [
          [one, other],
          [other, one],
        ],
  ),
);
// a row with all hooks contains each pair
const kinds: readonly Kind[] = thorough
  ? [hooks, ['useSignalQuery'] as const, ...pairs].flatMap(ways)
  : [
      { hooks, by: 'transition', write: 'timer', late: false, every: 10 },
      { hooks, by: 'transition', write: 'timer', late: true, every: 50 },
      { hooks, by: 'deferred', write: 'timer', late: true, every: 10 },
      { hooks, by: 'transition', write: 'transition', late: false, every: 10 },
      { hooks, by: 'transition', write: 'timer', late: true, every: 10, isNested: true },
      // the first row does not end between two writes
      { hooks, by: 'deferred', write: 'timer', late: true, every: 5, cost: 3, readCost: 3 },
    ];

/** React does not end a render if updates that are more urgent follow each other faster. */
const mayStarve = ({ by, write }: Kind): boolean =>
  by === 'suspense' || (by === 'deferred' && write === 'transition');

const nameOf = ({ hooks: names, by, write, late, every, readCost, isNested }: Kind): string =>
  [
    `${names.join(', ')} mounted by ${by}`,
    ...(late ? ['late text'] : []),
    `${write} every ${every} ms`,
    ...(readCost === undefined ? [] : [`${readCost} ms for each hook`]),
    ...(isNested === true ? ['below a second provider'] : []),
  ].join(', ');
const named = kinds.map((kind) => [nameOf(kind), kind] as const);

describe.each([
  { version: '19', react: 'react', dom: 'react-dom' },
  { version: '18', react: 'react-18', dom: 'react-dom-18' },
])('React $version', ({ react, dom }) => {
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    page = await browser.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.setContent('<body></body>');
    const packages = { react, 'react-dom': dom };
    const content = await bundlePage('tearing/writing.tsx', { packages, minify: true });
    await page.addScriptTag({ content });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: THROTTLING });
  });

  test.each(thorough || react === 'react' ? named : named.slice(0, 1))(
    '[H8] no frame is torn while rows mount: %s',
    async (_, kind) => {
      for (let at = 0; at < TRIES; at++) {
        const scene: Scene = { rows: 8, cost: COST_MS, readCost: 0, isNested: false, ...kind };
        // oxlint-disable-next-line no-await-in-loop -- one scene at a time
        const seen: Outcome = await page.evaluate(`play.writing(${JSON.stringify(scene)})`);
        const { written } = seen;
        const mounted = mayStarve(kind) ? seen.mounted : true;
        expect(seen).toEqual({ torn: [], mounted, last: [written], written });
      }
      expect(complaints).toEqual([]);
    },
    TEST_LIMIT_MS,
  );
});
