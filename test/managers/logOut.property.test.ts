// Random tabs, versions, log outs, crashes and deletions on one disk: no row of a session that is over is there.
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { runs } from '../laws/runs.ts';
import { Todo } from '../setup/world.ts';
import { Browser, resource, sessionsIn, Tab, titleOf } from './browserTabs.ts';

const { get, getList } = resource;
const turn = () => new Promise<void>((done) => void setImmediate(done));

type Step = (browser: Browser) => unknown;
const place = fc.nat({ max: 5 });
const id = fc.integer({ min: 1, max: 3 });

/** What fast-check prints of a step. */
const said = (step: Step, ...words: unknown[]): Step =>
  Object.assign(step, { [fc.toStringMethod]: () => words.join(' ') });

const inTab = (name: string, work: (tab: Tab, browser: Browser) => unknown) =>
  place.map((at) =>
    said(
      (browser) => {
        const tab = browser.at(at);
        return tab && new Promise((done) => tab.do(() => done(work(tab, browser))));
      },
      name,
      at,
    ),
  );

/** A user is slower than a message between tabs: all have heard of the last log out before the next one, or a new tab. */
function hearAll({ post }: Browser): void {
  while ((post?.waiting ?? 0) > 0) post?.deliver(0);
}

/** A user logs out, and another one in, in this tab. */
async function logOut(tab: Tab, browser: Browser): Promise<void> {
  if (!tab.isReady) return;
  hearAll(browser);
  browser.clock.advance(1);
  browser.session++;
  tab.controller.reset();
  if (tab.hasDisk) return;
  // it is done as soon as the database is open
  for (let times = 0; times < 20; times++) await turn();
}

const version = fc.constantFrom('1', '1', '2');
const open = version.map((of) =>
  said(
    (browser) => {
      hearAll(browser);
      browser.tabs.add(new Tab(browser, of));
    },
    'open',
    of,
  ),
);
const set = fc.tuple(place, id).map(([at, pk]) =>
  said(
    (browser) => {
      const tab = browser.at(at);
      const title = titleOf(tab?.session ?? 0);
      tab?.do(() => void tab.controller.set(Todo, { id: pk }, { title }));
    },
    'set',
    at,
    pk,
  ),
);
const list = inTab('list', ({ controller, session }) => {
  const rows = [1, 2].map((pk) => ({ id: pk, title: titleOf(session) }));
  void controller.setResponse(getList, {}, rows);
});
const ask = inTab(
  'fetch',
  ({ controller }) => void controller.fetch(get, { id: 3 }).catch(() => {}),
);
const answer = inTab('answer', ({ answers }) => answers.shift()?.());
const flush = inTab('flush', ({ kept }) => void kept.flush());
const deliver = fc
  .nat({ max: 3 })
  .map((at) => said(({ post }) => post?.deliver(at), 'deliver', at));
const pass = fc.nat({ max: 30 }).map((ms) => said(({ clock }) => clock.advance(ms), 'pass', ms));
// its session is over: somebody has logged out in another tab
const expire = inTab('expire', ({ controller }) => controller.reset());
const clear = inTab('clear', ({ kept }) => void kept.clear());
const crash = inTab('crash', (tab, browser) => {
  browser.tabs.delete(tab);
  tab.crash();
});
// with the database goes what it knew of log outs: pages that began before one have read it by then
const remove = fc.constant(
  said(({ disk, tabs }) => {
    if ([...tabs].some(({ isReady }) => !isReady)) return undefined;
    const request = indexedDB.deleteDatabase(disk);
    return new Promise((done) => request.addEventListener('success', done));
  }, 'delete'),
);
const steps = fc.oneof(
  { weight: 2, arbitrary: open },
  { weight: 4, arbitrary: set },
  { weight: 3, arbitrary: list },
  { weight: 1, arbitrary: ask },
  { weight: 1, arbitrary: answer },
  { weight: 5, arbitrary: flush },
  { weight: 4, arbitrary: deliver },
  { weight: 3, arbitrary: pass },
  { weight: 3, arbitrary: inTab('log out', logOut) },
  { weight: 1, arbitrary: expire },
  { weight: 1, arbitrary: clear },
  { weight: 1, arbitrary: crash },
  { weight: 1, arbitrary: remove },
);
// how often the disk may go on after each step
const turns = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 12 }));

/** Until nothing moves any more. */
async function quiet(browser: Browser): Promise<void> {
  const { tabs, clock } = browser;
  for (let round = 0; round < 3; round++) {
    hearAll(browser);
    clock.advance(30);
    await Promise.all([...tabs].map((tab) => tab.kept.flush()));
    for (let times = 0; times < 5; times++) await turn();
  }
}

const program = fc.record({
  connected: fc.boolean(),
  begin: fc.array(version, { minLength: 1, maxLength: 3 }),
  program: fc.array(fc.tuple(steps, turns), { minLength: 10, maxLength: 40, size: 'max' }),
});

/** The other sessions that a text tells of. */
const strange = (text: string, session: number) =>
  sessionsIn(text).filter((other) => other !== session);

test('[P1] no row of another user is on a disk or in a tab, whatever tabs, versions, log outs and crashes do', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  await fc.assert(
    fc.asyncProperty(program, async ({ connected, begin, program: taken }) => {
      const browser = new Browser(connected);
      for (const of of begin) browser.tabs.add(new Tab(browser, of));
      await quiet(browser);
      const found: Promise<readonly [session: number, text: string]>[] = [];
      const look = () => void found.push(browser.read());
      for (const [step, times] of taken) {
        await step(browser);
        // its transaction begins when what the step has said of the disk has begun, and before the next step
        for (const work of [() => {}, look, () => {}]) await Promise.resolve().then(work);
        for (let at = 0; at < times; at++) await turn();
      }
      await quiet(browser);
      look();
      const disks = await Promise.all(found);
      const later = new Tab(browser, '1');
      await later.kept.ready;
      const tabs = [later, ...browser.tabs];
      const wrong = [
        ...disks.map(
          ([session, text], at) => ['disk', at, session, strange(text, session)] as const,
        ),
        ...tabs.map(
          ({ shown, session }, at) => ['tab', at, session, strange(shown, session)] as const,
        ),
      ].filter(([, , , others]) => others.length > 0);
      // connected, all tabs have heard of each log out
      const deaf = tabs.filter(({ session }) => connected && session !== browser.session);
      for (const tab of tabs) tab.crash();
      expect([wrong, deaf]).toEqual([[], []]);
    }),
    runs(0.5),
  );
});
