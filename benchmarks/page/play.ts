/** Plays scenes on one app in the page: times them until the page shows them, counts, and compares it with the server. */
import { drawnOf, runs, textOf } from './App.ts';
import type { App, ListParams, Page } from './App.ts';
import { memory } from './memory.ts';
import { idAt, MILESTONE, pageOf, scenes } from './scenes.ts';
import type { Scene, Step } from './scenes.ts';

/** What one step cost. */
export interface Taken {
  /** From the call to the page as it should be, ms. */
  readonly ms: number;
  /** Records of a MutationObserver. */
  readonly mutations: number;
  readonly runs: Readonly<Record<string, number>>;
}

export interface Ticked {
  /** Times between frames, ms. */
  readonly frames: readonly number[];
  readonly received: number;
}

export interface Play {
  readonly name: string;
  /** `steps`: default as the scene says. `all`: each row is drawn. */
  scene(name: string, steps?: number, all?: boolean): Promise<Taken[]>;
  /** Leaves what is needed for the streams of `tick` on the page: all rows are drawn. */
  open(rows: number): Promise<void>;
  tick(options: { readonly perSecond: number; readonly seconds: number }): Promise<Ticked>;
  cycle(times: number): Promise<void>;
  /** The first that is shown on a page just loaded: 100 rows. */
  first(): Promise<Taken>;
  verify(): Promise<void>;
}

const PATIENCE = 20_000;
const watched = { subtree: true, childList: true, characterData: true, attributes: true };

async function take({ act, isShown }: Step): Promise<Taken> {
  for (const name of Object.keys(runs)) delete runs[name];
  let mutations = 0;
  let look = (): void => {};
  // told as a microtask after each change of the page, whatever schedules it
  const observer = new MutationObserver((records) => {
    mutations += records.length;
    look();
  });
  observer.observe(document.body, watched);
  const begun = performance.now();
  const done = act();
  const ended = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the page does not show it')), PATIENCE);
    look = () => {
      if (!isShown()) return;
      resolve(performance.now());
      clearTimeout(timer);
      look = () => {};
    };
  });
  await done;
  await rest();
  observer.disconnect();
  return { ms: ended - begun, mutations, runs: { ...runs } };
}

/** Until the page has been laid out and nothing waits any more. */
async function rest(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => setTimeout(resolve, 4));
}

function prepare({ kind, milestone }: Page): void {
  const lists: ListParams[] = [{ milestone, state: 'open' }];
  if (kind === 'two') lists.push({ milestone, state: 'closed' });
  if (kind === 'three') lists.push({ milestone, pinned: true });
  for (const params of lists) memory.prepare(params);
}

/** A page whose lists are there. */
async function open(app: App, page: Page, rows: number): Promise<void> {
  const { kind, limit = rows } = page;
  memory.fill(MILESTONE, rows, kind === 'two' ? 0.5 : 0);
  prepare(page);
  app.show(page);
  const drawn = Math.min(rows, limit) + (kind === 'three' ? 11 : 0);
  await until(() => document.querySelectorAll('li').length >= drawn);
  await rest();
}

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!isSo()) {
    if (performance.now() > end) throw new Error('the page does not show its rows');
    await rest();
  }
}

async function scene(app: App, scene: Scene): Promise<Taken[]> {
  const { kind, rows, limit, steps, turns, step } = scene;
  const taken: Taken[] = [];
  app.show(null);
  await rest();
  if (turns !== true) await open(app, pageOf(kind, limit), rows);
  for (let turn = 0; turn < steps; turn++) {
    taken.push(await take(step(app, turn, limit ?? rows)));
    memory.settle();
    if (turns === true) {
      check(pageOf(kind, limit, 10 + turn));
      app.show(null);
      await rest();
    }
  }
  if (turns !== true) check(pageOf(kind, limit));
  return taken;
}

/** Throws where the page differs from what the server knows. */
function check({ kind, milestone, detail, limit }: Page): void {
  const expected = [
    kind === 'three' ? ['detail', [memory.issues.get(detail)]] : undefined,
    kind === 'three' ? ['pinned', memory.listed({ milestone, pinned: true })] : undefined,
    ['open', memory.listed({ milestone, state: 'open' })],
    kind === 'two' ? ['closed', memory.listed({ milestone, state: 'closed' })] : undefined,
  ].filter((each) => each !== undefined) as [string, ReturnType<typeof memory.listed>][];
  for (const [list, issues] of expected) {
    if (kind === 'sorted') issues.sort((a, b) => (a.title < b.title ? -1 : 1));
    const texts = drawnOf(issues, limit).map(
      (issue) => `${list}-${issue.id} ${issue.state} ${textOf(issue)}`,
    );
    const seen = [...document.querySelectorAll(`#${list} > li`)].map(
      ({ id, className, textContent }) => `${id} ${className} ${textContent}`,
    );
    const at = texts.findIndex((text, at) => text !== seen[at]);
    if (at !== -1 || texts.length !== seen.length) {
      throw new Error(
        `row ${at} of ${list}: "${seen[at]}", not "${texts[at]}" (${seen.length} of ${texts.length} rows)`,
      );
    }
  }
}

/** As a socket brings them: some every few milliseconds, as many as are due. */
async function tick(
  app: App,
  { perSecond, seconds }: Parameters<Play['tick']>[0],
): Promise<Ticked> {
  const frames: number[] = [];
  const begun = performance.now();
  const end = begun + seconds * 1000;
  const rows = memory.listed({ milestone: MILESTONE, state: 'open' }).length;
  let received = 0;
  let last = begun;
  const frame = (now: number): void => {
    frames.push(now - last);
    last = now;
    if (now < end) requestAnimationFrame(frame);
  };
  await new Promise(requestAnimationFrame);
  last = performance.now();
  requestAnimationFrame(frame);
  await new Promise<void>((resolve) => {
    const pump = (): void => {
      const now = performance.now();
      for (const due = ((now - begun) / 1000) * perSecond; received < due; received++) {
        const id = idAt((received * 7919) % rows);
        memory.comment(id, received);
        app.receive(id, received);
      }
      if (now < end) setTimeout(pump, 4);
      else resolve();
    };
    pump();
  });
  return { frames: frames.slice(1), received };
}

export function start(app: App): void {
  const play: Play = {
    name: app.name,
    scene: (name, steps, all = false) => {
      const { limit, ...named } = scenes[name] as Scene;
      const drawn = all || limit === undefined ? {} : { limit };
      return scene(app, { ...named, ...drawn, steps: steps ?? named.steps });
    },
    open: (rows) => open(app, pageOf('list'), rows),
    tick: (options) => tick(app, options),
    async cycle(times) {
      for (let turn = 0; turn < times; turn++) {
        app.show(null);
        await until(() => document.querySelector('li') === null);
        memory.prepare({ milestone: MILESTONE, state: 'open' });
        app.show(pageOf('list'));
        await until(() => document.querySelectorAll('li').length > 0);
      }
    },
    async first() {
      const { step, rows } = scenes['show100'] as Scene;
      const taken = await take(step(app, 0, rows));
      check(pageOf('list', undefined, 10));
      return taken;
    },
    async verify() {
      await rest();
      check(pageOf('list'));
    },
  };
  Object.assign(globalThis, { play });
}
