/** Load for a minute: many entities, subscribers, requests on their way and updates; tells what was late, lost or left. */
import { effect } from '@preact/signals-core';
import { Collection, Controller, Endpoint, Entity } from 'signalbox';

declare const gc: () => void;

const seconds = Number(process.env['SECONDS'] ?? 60);
const ENTITIES = 100_000;
const SUBSCRIBERS = 10_000;
const IN_FLIGHT = 1_000;
const UPDATES = 10_000;
// ms
const BEAT = 10;
const LATENCY = 200;

class Row extends Entity {
  id = 0;
  title = '';
  price = 0;
}

/** The machine's time, with its timers counted. */
const timers = new Set<NodeJS.Timeout>();
let most = 0;
const clock = {
  now: () => Date.now(),
  after(ms: number, job: () => void): unknown {
    const timer = setTimeout(() => {
      timers.delete(timer);
      const start = performance.now();
      job();
      // a slice of the sweep
      most = Math.max(most, performance.now() - start);
    }, ms);
    timers.add(timer.unref());
    return timer;
  },
  clear(timer: unknown): void {
    clearTimeout(timer as NodeJS.Timeout);
    timers.delete(timer as NodeJS.Timeout);
  },
};

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
function heap(): number {
  gc();
  return process.memoryUsage().heapUsed;
}
const say = (line: string) => process.stdout.write(`${line}\n`);

const empty = heap();
const controller = new Controller({ clock, sweepAfter: 2_000, dataExpiryLength: 1_000 });
const titles = Array.from({ length: ENTITIES + 1 }, () => '');
const getList = new Endpoint(async () => [] as object[], {
  name: 'list',
  schema: new Collection([Row]),
});
await controller.setResponse(
  getList,
  Array.from({ length: ENTITIES }, (_, at) => ({ id: at + 1, title: '', price: at })),
);
// held like a page that shows it, without a reader that would build it at each update
const list = controller.view(getList);
const release = list.retain();
say(`${ENTITIES} entities: ${megabytes(heap() - empty)}`);

let wakes = 0;
const stops = Array.from({ length: SUBSCRIBERS }, (_, at) => {
  const row = controller.entity(Row, at + 1);
  return effect(() => {
    void row.value;
    wakes++;
  });
});
wakes = 0;

// requests: each answers with what the server knew when it was asked, which may be old by then
let going = true;
let answered = 0;
let asked = 0;
const getRow = new Endpoint(
  async ({ id }: { id: number; n: number }) => {
    const answer = { id, title: titles[id] };
    await pause(LATENCY);
    return answer;
  },
  { name: 'row', schema: Row },
);
async function askAlways(from: number): Promise<void> {
  for (let n = from; going; n += IN_FLIGHT) {
    asked++;
    await controller.fetch(getRow, { id: (n % ENTITIES) + 1, n });
    answered++;
  }
}
const lanes = Array.from({ length: IN_FLIGHT }, (_, at) => askAlways(at * 97));

const times: number[] = [];
let done = 0;
let touched = 0;
let backlog = 0;
function change(): void {
  // one in ten goes to a row that somebody shows
  const id = done % 10 === 0 ? (done % SUBSCRIBERS) + 1 : ((done * 7919) % ENTITIES) + 1;
  const title = `t${done++}`;
  titles[id] = title;
  if (id <= SUBSCRIBERS) touched++;
  const start = performance.now();
  void controller.set(Row, { id }, { id, title });
  times.push(performance.now() - start);
}
const started = performance.now();
let told = 0;
for (let now = 0; now < seconds * 1000; now = performance.now() - started) {
  const due = Math.floor((now / 1000) * UPDATES);
  backlog = Math.max(backlog, due - done - (UPDATES * BEAT) / 1000);
  while (done < due) change();
  if (now > (told + 1) * 5_000) {
    say(`${++told * 5} s: ${done} updates, ${answered} answers, ${megabytes(heap())}`);
  }
  await pause(BEAT);
}
going = false;
await Promise.all(lanes);

let lost = 0;
for (let id = 1; id <= ENTITIES; id++) {
  if (controller.get(Row, { id })?.title !== titles[id]) lost++;
}
const sorted = [...times].sort((a, b) => a - b);
const at = (share: number) => (sorted[Math.floor(sorted.length * share)] as number).toFixed(3);
say(`${done} updates in ${seconds} s, most behind ${Math.max(0, Math.round(backlog))}`);
say(
  `commit: median ${at(0.5)} ms, p99 ${at(0.99)} ms; longest timer of ours ${most.toFixed(1)} ms`,
);
say(
  `${wakes} wake-ups for ${touched} subscribed rows touched; ${asked} requests, ${asked - answered} unanswered; ${lost} lost`,
);
for (const stop of stops) stop();
release();
times.length = sorted.length = titles.length = stops.length = lanes.length = 0;
controller.reset();
await pause(50);
gc();
await pause(50);
controller.sweep();
say(`after reset: ${megabytes(heap() - empty)} more than at the start, ${timers.size} timers`);
const leaves = timers.size > 0;
const wrong = lost > 0 || wakes !== touched || asked !== answered || leaves;
say(wrong ? 'WRONG' : 'nothing lost, nothing left');
if (wrong) process.exitCode = 1;
