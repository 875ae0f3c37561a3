/** Clicks through the issue tracker, and counts what renders and what is requested. */
import { createRoot } from 'react-dom/client';
import { Server } from './Server.ts';
import { renders, trackerOf } from './Tracker.tsx';
import type { Library } from './Tracker.tsx';

/** The ids of the buttons, in turn; `open-2`: of issue 2. */
const CLICKS =
  'next next previous open closed review all open-2 comment comment rename close reopen remove-200 back board move-1 move-4 move-2 open-5 rename close comment back table next open-12 close back'.split(
    ' ',
  );
// nothing may happen for so long: longer than the latency of the server, and than React needs to render
const QUIET_MS = 60;
// React delays content for 300 ms after it has shown a fallback
const LOAD_MS = 400;
const LIMIT_MS = 5_000;

export interface Played {
  readonly clicks: number;
  readonly requests: number;
  readonly renders: Readonly<Record<string, number>>;
  /** Renders for each click, the first of them for the load of the page. */
  readonly perClick: readonly (readonly [name: string, renders: number, requests: number])[];
  /** What is on the page at the end. */
  readonly text: string;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const total = (): number => [...renders.values()].reduce((sum, one) => sum + one, 0);

export async function play(make: (server: Server) => Library, isMemo: boolean): Promise<Played> {
  const server = new Server();
  const Tracker = trackerOf(make(server), isMemo);
  const root = createRoot(document.body.appendChild(document.createElement('main')));
  const perClick: (readonly [string, number, number])[] = [];
  const settled = async () => {
    let before: string;
    do {
      before = `${total()} ${server.requests}`;
      await sleep(QUIET_MS);
    } while (server.inFlight > 0 || before !== `${total()} ${server.requests}`);
  };
  const measure = async (name: string, act: () => void) => {
    const before = [total(), server.requests] as const;
    act();
    await settled();
    perClick.push([name, total() - before[0], server.requests - before[1]]);
  };
  await measure('load', () => root.render(<Tracker />));
  await sleep(LOAD_MS);
  for (const id of CLICKS) {
    const button = await found(id);
    await measure(id, () => button.click());
  }
  const text = document.body.textContent;
  root.unmount();
  const byName = Object.fromEntries([...renders].sort(([a], [b]) => a.localeCompare(b)));
  return { clicks: CLICKS.length, requests: server.requests, renders: byName, perClick, text };
}

async function found(id: string): Promise<HTMLElement> {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    const button = document.getElementById(id);
    if (button !== null) return button;
    if (Date.now() > end) throw new Error(`There is no button ${id}: ${document.body.textContent}`);
    await sleep(QUIET_MS);
  }
}
