/** A stream of 10,000 updates a second into one contender's rows, 1 % of them watched, in a process of its own; a line of JSON. */
import { makeRows } from './Contender.ts';
import type { Contender } from './Contender.ts';
import type { Order } from './engine.ts';

const RATE = 10_000;
const order = JSON.parse(process.argv[2] as string) as Order & { readonly seconds: number };
const loaded = (await import(order.module)) as Record<string, () => Contender>;
const box = (loaded[order.name] as () => Contender)();
const json = JSON.stringify(makeRows(order.count));
box.ingest(JSON.parse(json), json);
const watched = Array.from({ length: order.count / 100 }, (_, at) => (at + 1) * 100);
const runs = box.mount?.(watched, 'none');

/** Rows here and there: all of them before one comes again (7,919 is a prime). */
const idAt = (at: number): number => ((at * 7919) % order.count) + 1;
const took: number[] = [];
let touched = 0;
const start = performance.now();
const elapsed = () => performance.now() - start;

/** What is due, until a frame is over: then others get their turn. */
function catchUp(): void {
  const until = elapsed() + 16;
  while (took.length < (Math.min(elapsed(), order.seconds * 1000) / 1000) * RATE) {
    const id = idAt(took.length);
    const before = performance.now();
    box.changeScore?.(id, took.length);
    took.push(performance.now() - before);
    if (id % 100 === 0) touched++;
    if (elapsed() > until) return;
  }
}

while (elapsed() < order.seconds * 1000) {
  catchUp();
  await new Promise((done) => setTimeout(done, 1));
}
const sorted = [...took].sort((a, b) => a - b);
process.stdout.write(
  `${JSON.stringify({
    perSecond: Math.round(took.length / order.seconds),
    late: Math.max(0, Math.round(order.seconds * RATE) - took.length),
    p50: sorted[sorted.length >> 1],
    p99: sorted[Math.floor(sorted.length * 0.99)],
    max: sorted.at(-1),
    runs: runs?.(),
    touched,
  })}\n`,
);
process.exit();
