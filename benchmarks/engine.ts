/** The engine benchmark, one sample: does each work once with one contender and prints the times (ms) as JSON. */
import { makeRow, makeRows } from './Contender.ts';
import type { Contender } from './Contender.ts';
import { handWritten } from './contenders/handWritten.ts';
import { signalbox } from './contenders/signalbox.ts';
import { optimism } from './optimism.ts';

const contenders: Record<string, () => Contender> = { handWritten, signalbox };
const [, , name = 'signalbox', size = '1000'] = process.argv;
const count = Number(size);
const make = contenders[name] as () => Contender;
const authors = Math.max(1, Math.round(count / 100));
const json = JSON.stringify(makeRows(count));

interface Figure {
  ms: number;
  runs?: number;
}
const figures: Record<string, Figure> = {};

/** The time of one call, after the same work on other instances has warmed the code up. */
function time(work: string, run: () => void, runs?: () => number): void {
  const before = runs?.() ?? 0;
  const start = performance.now();
  run();
  const ms = performance.now() - start;
  figures[work] = runs === undefined ? { ms } : { ms, runs: runs() - before };
}

function once(measured: boolean): void {
  const take = measured ? time : (_: string, run: () => void) => run();
  const rows = () => JSON.parse(json) as ReturnType<typeof makeRows>;
  const first = rows();
  const again = rows();
  const changed = rows();
  (changed[count >> 1] as { title: string }).title = 'changed';
  const box = make();
  take('ingest', () => box.ingest(first));
  take('identical', () => box.ingest(again));
  take('first read', () => box.readAll());
  take('second read', () => box.readAll());
  const runs = box.mount(false);
  take('one of the list changed', () => box.ingest(changed), runs);
  let n = 0;
  const each = (times: number, work: (at: number) => void) => () => {
    for (let at = 0; at < times; at++) work(at);
  };
  take(
    'change a row, snapshot list (x50)',
    each(50, (at) => box.changeRow(((at * 37) % count) + 1, `t${n++}`)),
    runs,
  );
  take(
    'change an author (x5)',
    each(5, (at) => box.changeAuthor((at % authors) + 1, `n${n++}`)),
    runs,
  );
  take(
    'push (x20)',
    each(20, (at) => box.push(makeRow(count + 1 + at, authors))),
    runs,
  );
  take(
    'remove (x20)',
    each(20, (at) => box.remove(count + 1 + at)),
    runs,
  );
  const fine = make();
  fine.ingest(rows());
  fine.readAll();
  const fineRuns = fine.mount(true);
  take(
    'change a row, membership list (x50)',
    each(50, (at) => fine.changeRow(((at * 37) % count) + 1, `t${n++}`)),
    fineRuns,
  );
  take(
    'push, membership list (x20)',
    each(20, (at) => fine.push(makeRow(count + 1 + at, authors))),
    fineRuns,
  );
  take(
    'remove, membership list (x20)',
    each(20, (at) => fine.remove(count + 1 + at)),
    fineRuns,
  );
  const derived = make();
  derived.ingest(rows());
  const derivedRuns = derived.mountDerived();
  take(
    'sorted + filtered + aggregated view, one row changed (x50)',
    each(50, (at) => derived.changeScore(((at * 37) % count) + 1, (n++ * 7919) % 1000)),
    derivedRuns,
  );
}

take: for (let round = 0; round < Math.max(3, Math.round(20_000 / count)); round++) {
  once(false);
  if (round > 60) break take;
}
once(true);
let last = {};
for (let round = 0; round < 8; round++) last = await optimism(make, count);
Object.assign(figures, last);
process.stdout.write(JSON.stringify(figures));
