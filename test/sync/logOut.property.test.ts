// Random tabs, versions, users, log outs, crashes and deletions on a shared disk: no row of another user or session is seen.
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { runs } from '../laws/runs.ts';
import { Todo } from '../setup/world.ts';
import { Browser, resource, titleOf } from './browserTabs.ts';
import type { Tab } from './browserTabs.ts';

const { get, getList } = resource;
const turn = () => new Promise<void>((done) => void setImmediate(done));

type Step = (browser: Browser) => unknown;
const place = fc.nat({ max: 5 });
const id = fc.integer({ min: 1, max: 3 });

/** The output of fast-check for a step. */
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

/** A user is slower than a message between tabs: all tabs have received the last log out before a new tab opens. */
function hearAll({ accounts }: Browser): void {
  for (const { bus } of accounts) while ((bus?.waiting ?? 0) > 0) bus?.deliver(0);
}

/** The session of a tab ends. */
async function endSession(tab: Tab, browser: Browser, end: () => void): Promise<void> {
  browser.clock.advance(1);
  browser.endSession(tab.account);
  end();
  if (tab.hasDisk) return;
  // done as soon as the database is open
  for (let times = 0; times < 20; times++) await turn();
}

/** A user logs out, and another user logs in, in this tab. */
async function logOut(tab: Tab, browser: Browser): Promise<void> {
  if (tab.isReady) await endSession(tab, browser, () => tab.controller.reset());
}

/** A user logs out, and the user of the other account in, in this tab. */
async function changeUser(tab: Tab, browser: Browser): Promise<void> {
  const other = browser.accounts.find((account) => account !== tab.account);
  if (!tab.isReady || other === undefined) return;
  hearAll(browser);
  await endSession(tab, browser, () => tab.change(other));
}

const version = fc.constantFrom('1', '1', '2');
const account = fc.nat({ max: 1 });
const open = fc.tuple(version, account).map(([of, user]) =>
  said(
    (browser) => {
      hearAll(browser);
      browser.open(user, of);
    },
    'open',
    of,
    'of',
    user,
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
  .tuple(fc.nat({ max: 3 }), account)
  .map(([at, user]) =>
    said((browser) => browser.accountAt(user).bus?.deliver(at), 'deliver', at, 'of', user),
  );
const pass = fc.nat({ max: 30 }).map((ms) => said(({ clock }) => clock.advance(ms), 'pass', ms));
// the session is over: a user has logged out in another tab
const expire = inTab('expire', ({ controller }) => controller.reset());
const clear = inTab('clear', ({ kept }) => void kept.clear());
const crash = inTab('crash', (tab, browser) => {
  browser.tabs.delete(tab);
  tab.crash();
});
// the deleted database knew of log outs: pages that began before a log out have read the record by then
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
  { weight: 1, arbitrary: inTab('change user', changeUser) },
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
  owners: fc.boolean(),
  sealed: fc.boolean(),
  begin: fc.array(fc.tuple(account, version), { minLength: 1, maxLength: 3 }),
  steps: fc.array(fc.tuple(steps, turns), { minLength: 10, maxLength: 40, size: 'max' }),
});

test('[P1] after random steps of tabs, users, log outs and crashes, no row of another user is stored, shown or sent', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  await fc.assert(
    fc.asyncProperty(program, async ({ begin, steps: taken, ...options }) => {
      const browser = new Browser(options);
      for (const [user, of] of begin) browser.open(user, of);
      await quiet(browser);
      const looks: Promise<void>[] = [];
      const look = () => void looks.push(browser.lookAtDisk());
      for (const [step, times] of taken) {
        await step(browser);
        // the transaction begins after the disk operations of this step have begun, and before the next step
        for (const work of [() => {}, look, () => {}]) await Promise.resolve().then(work);
        for (let at = 0; at < times; at++) await turn();
      }
      await quiet(browser);
      look();
      await Promise.all(looks);
      const later = browser.accounts.map((_, user) => browser.open(user, '1'));
      await Promise.all(later.map(({ kept }) => kept.ready));
      browser.lookAtTabs();
      // connected, all tabs have received each log out
      const deaf = [...browser.tabs].filter(
        ({ session, account: of }) => options.connected && session !== of.session,
      );
      browser.end();
      expect([browser.leaks, deaf]).toEqual([[], []]);
    }),
    runs(0.5),
  );
});
