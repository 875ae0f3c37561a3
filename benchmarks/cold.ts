/**
 * The cold benchmark, one sample: what a page does first, on code that has not run yet, in a process of its own; a line of
 * JSON per figure. Times are wall-clock times, because compilation on other threads is time that a page waits or not.
 */
import type { Session } from 'node:inspector';
import { makeRow, makeRows } from './Contender.ts';
import type { Contender, Row } from './Contender.ts';

/** From the parent: the contender's module and export, and what to play. */
export interface ColdOrder {
  readonly module: string;
  readonly name: string;
  /**
   * `start`: create, ingest `count` rows, and read them. `write`, `optimistic`: change ten of `count` rows that are mounted,
   * one after the other; `…AtRest`: sixty, each after other work has taken the caches of the processor. `functions`: as
   * `start`; counts the functions that have been executed, the import included.
   */
  readonly play:
    | 'start'
    | 'write'
    | 'writeAtRest'
    | 'optimistic'
    | 'optimisticAtRest'
    | 'functions';
  readonly count: number;
}

const order = JSON.parse(process.argv[2] as string) as ColdOrder;
const { count } = order;

async function load(): Promise<() => Contender> {
  const loaded = (await import(order.module)) as Record<string, () => Contender>;
  return loaded[order.name] as () => Contender;
}

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

function start(make: () => Contender, rows: Row[], json: string): Contender {
  const box = make();
  box.ingest(rows, json);
  box.readAll?.();
  return box;
}

/** Parsed, as a response is. */
function response(): [Row[], string] {
  const json = JSON.stringify(makeRows(count));
  return [JSON.parse(json) as Row[], json];
}

const plays = {
  async start(): Promise<void> {
    const make = await load();
    const rows = response();
    const begun = performance.now();
    start(make, ...rows);
    print({ ms: performance.now() - begun });
  },

  write: () => change('changeRow'),
  writeAtRest: () => change('changeRow', true),
  optimistic: () => change('optimistic'),
  optimisticAtRest: () => change('optimistic', true),

  async functions(): Promise<void> {
    const { Session } = process.getBuiltinModule('node:inspector');
    const session = new Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    start(await load(), ...response());
    print({ functions: executed(session) });
  },
};

const calls = {
  async changeRow(box: Contender, { id, title }: Row): Promise<void> {
    box.changeRow?.(id, title);
    await box.settled?.();
  },
  async optimistic(box: Contender, row: Row): Promise<void> {
    await box.optimistic?.(row.id, row.title, Promise.resolve(row));
  },
};

/** Larger than the caches of a processor. */
const OTHER_WORK = 48 * 1024 ** 2;

/** Times changes of rows that are mounted, for contenders that have the verb. */
async function change(verb: keyof typeof calls, atRest = false): Promise<void> {
  const box = start(await load(), ...response());
  const runs =
    box[verb] &&
    box.mount?.(
      Array.from({ length: count }, (_, at) => at + 1),
      'none',
    );
  if (runs === undefined) return;
  const other = new Float64Array(atRest ? OTHER_WORK / 8 : 0);
  const ms: number[] = [];
  for (let at = 1; at <= (atRest ? 60 : 10); at++) {
    const row = { ...makeRow(at, 1), title: `t${at}` };
    const before = runs();
    for (let place = 0; place < other.length; place += 8) (other[place] as number)++;
    const begun = performance.now();
    await calls[verb](box, row);
    ms.push(performance.now() - begun);
    if (runs() === before) throw new Error(`the view of row ${at} has not run`);
  }
  print({ ms });
}

/** How many functions of the contender's module, and of all modules it imports, have been executed. */
function executed(session: Session): number {
  const folder = import.meta.url.replace(/[^/]*$/, '');
  let number = 0;
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error;
    for (const { url, functions } of taken.result)
      if (url.startsWith(folder) && url !== import.meta.url)
        number += functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length;
  });
  return number;
}

await plays[order.play]();
