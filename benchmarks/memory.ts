/** Heap per stored entity and per subscription of one contender, in a process of its own with `--expose-gc`; a line of JSON. */
import { authorsOf, makeRows } from './Contender.ts';
import type { Contender } from './Contender.ts';
import type { Order } from './engine.ts';

const order = JSON.parse(process.argv[2] as string) as Order;
const loaded = (await import(order.module)) as Record<string, () => Contender>;
const make = loaded[order.name] as () => Contender;
const collect = (globalThis as unknown as { gc: () => void }).gc;

async function heap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collect();
    // what weak references hold goes in a later turn
    await new Promise((done) => setTimeout(done, 5));
  }
  return process.memoryUsage().heapUsed;
}

const figures: Record<string, number> = {};

/** A small one first, so that the code itself is on the heap. */
async function measure(count: number): Promise<Contender> {
  const json = JSON.stringify(makeRows(count));
  const box = make();
  const entities = count + authorsOf(count) + 20;
  const empty = await heap();
  box.ingest(JSON.parse(json), json);
  const stored = await heap();
  figures['heap per entity, not read yet'] = (stored - empty) / entities;
  let read = stored;
  if (box.readAll) {
    box.readAll();
    read = await heap();
    figures['heap per entity, read'] = (read - empty) / entities;
  }
  const ids = Array.from({ length: count }, (_, at) => at + 1);
  const runs = box.subscribe === undefined ? box.mount?.(ids, 'none') : box.subscribe(ids);
  if (runs) {
    figures['heap per subscription'] = ((await heap()) - read) / count;
    // keeps the views
    runs();
  }
  return box;
}

const kept = [await measure(200), await measure(order.count)];
for (const [work, bytes] of Object.entries(figures)) {
  process.stdout.write(`${JSON.stringify({ work, bytes })}\n`);
}
if (kept.length === 0) throw new Error('nothing was kept');
