/** The works of the engine benchmark, in scenes: each scene has a fresh box, and its works follow on one another. */
import { authorsOf, makeRow, makeRows, settled } from './Contender.ts';
import type { Contender, List, Row } from './Contender.ts';

/** What a scene is played on. */
export interface Stage {
  readonly count: number;
  readonly box: Contender;
  /** Notes what `work` took: the mean of up to `times` calls, fewer where time is up. */
  measure(
    work: string,
    times: number,
    call: (at: number) => void,
    runs?: () => number,
  ): Promise<void>;
  /** As `measure`, of one call that ends when its promise does; `each` says how many writes it holds. */
  wait(
    work: string,
    each: number,
    call: () => Promise<unknown>,
    runs?: () => number,
  ): Promise<void>;
  /** True where the box has no such verb. */
  lacks(verb: keyof Contender): boolean;
}

export interface Scene {
  readonly works: readonly string[];
  /** True when a work builds on the one before it, so that it falls with it. */
  readonly chained?: boolean;
  play(stage: Stage): Promise<void>;
}

const text = new Map<string, string>();

/** Parsed anew, so that nobody gets an object twice. */
function fresh(count: number, authors = authorsOf(count)): [Row[], string] {
  const key = `${count} ${authors}`;
  let json = text.get(key);
  if (json === undefined) text.set(key, (json = JSON.stringify(makeRows(count, authors))));
  return [JSON.parse(json) as Row[], json];
}

const idsOf = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
/** Rows here and there, each once in a while. */
const some = (at: number, count: number): number => ((at * 37) % count) + 1;
/** Never the same text twice, and never longer for one contender than for another. */
let turns = 0;
const title = (): string => `t${1_000_000 + turns++}`;

async function filled(
  { box, count }: Stage,
  lists: readonly List[],
  authors?: number,
): Promise<(() => number) | undefined> {
  box.ingest(...fresh(count, authors));
  await box.settled?.();
  for (const list of lists) {
    const runs = box.mount?.(idsOf(count), list);
    if (runs !== undefined) return runs;
  }
  return undefined;
}

/** Whichever list a library has, snapshots where it has both. */
const ANY: readonly List[] = ['snapshot', 'membership'];

const reading: Scene = {
  works: ['ingest', 'first full read', 'second read'],
  chained: true,
  async play(stage) {
    const { box, count } = stage;
    const rows = fresh(count);
    await stage.measure('ingest', 1, () => box.ingest(...rows));
    if (stage.lacks('readAll')) return;
    await stage.measure('first full read', 1, () => box.readAll?.());
    await stage.measure('second read', 1, () => box.readAll?.());
  },
};

const again: Scene = {
  works: ['ingest, identical', 'ingest, one row changed'],
  async play(stage) {
    const { box, count } = stage;
    const same = fresh(count);
    const changed = fresh(count);
    (changed[0][count >> 1] as Row).title = 'changed';
    const runs = await filled(stage, ANY);
    await stage.measure('ingest, identical', 1, () => box.ingest(...same), runs);
    await stage.measure('ingest, one row changed', 1, () => box.ingest(...changed), runs);
  },
};

const rowsAlone: Scene = {
  works: ['change a row: rows alone'],
  async play(stage) {
    if (stage.lacks('changeRow')) return;
    const runs = await filled(stage, ['none']);
    if (runs === undefined) return;
    await stage.measure(
      'change a row: rows alone',
      50,
      (at) => stage.box.changeRow?.(some(at, stage.count), title()),
      runs,
    );
  },
};

function listed(list: 'snapshot' | 'membership'): Scene {
  const works = ['change a row', 'push', 'move', 'remove'].map((work) => `${work}: ${list} list`);
  const [change, push, move, remove] = works as [string, string, string, string];
  return {
    works,
    async play(stage) {
      const { box, count } = stage;
      const runs = await filled(stage, [list]);
      if (runs === undefined) return;
      const authors = authorsOf(count);
      if (!stage.lacks('changeRow'))
        await stage.measure(change, 50, (at) => box.changeRow?.(some(at, count), title()), runs);
      if (!stage.lacks('push'))
        await stage.measure(push, 20, (at) => box.push?.(makeRow(count + 1 + at, authors)), runs);
      if (!stage.lacks('move'))
        await stage.measure(move, 20, (at) => box.move?.(some(at + 1, count)), runs);
      // rows from the middle
      if (!stage.lacks('remove'))
        await stage.measure(remove, 20, (at) => box.remove?.((count >> 1) + at), runs);
    },
  };
}

const authors: Scene = {
  works: ['change the author of 100 rows'],
  async play(stage) {
    const { box, count } = stage;
    if (stage.lacks('changeAuthor')) return;
    const runs = await filled(stage, ANY);
    if (runs === undefined) return;
    await stage.measure(
      'change the author of 100 rows',
      10,
      (at) => box.changeAuthor?.((at % authorsOf(count)) + 1, title()),
      runs,
    );
  },
};

const oneAuthor: Scene = {
  works: ['change the author of all rows'],
  async play(stage) {
    if (stage.lacks('changeAuthor')) return;
    const runs = await filled(stage, ANY, 1);
    if (runs === undefined) return;
    await stage.measure(
      'change the author of all rows',
      5,
      () => stage.box.changeAuthor?.(1, title()),
      runs,
    );
  },
};

const derived: Scene = {
  works: ['sorted, filtered, summed view: one row changed'],
  async play(stage) {
    const { box, count } = stage;
    if (stage.lacks('mountDerived')) return;
    box.ingest(...fresh(count));
    const runs = box.mountDerived?.();
    await stage.measure(
      'sorted, filtered, summed view: one row changed',
      50,
      (at) => box.changeScore?.(some(at, count), (at * 7919) % 1000),
      runs,
    );
  },
};

const movedByField: Scene = {
  works: ['1,000 filtered lists: one row changes its list'],
  async play(stage) {
    const { box, count } = stage;
    if (stage.lacks('mountByScore')) return;
    const runs = box.mountByScore?.(fresh(count)[0]);
    await stage.measure(
      '1,000 filtered lists: one row changes its list',
      50,
      (at) => box.changeScore?.(some(at, count), (at * 7919 + 1) % 1000),
      runs,
    );
  },
};

interface Pending {
  readonly promise: Promise<Row>;
  resolve(row: Row): void;
  reject(error: Error): void;
}

function pending(): Pending {
  let settle = {} as Omit<Pending, 'promise'>;
  const promise = new Promise<Row>((resolve, reject) => (settle = { resolve, reject }));
  promise.catch(() => {});
  return { promise, ...settle };
}

/** Writes at once, then all answers. */
async function writes(
  stage: Stage,
  [apply, settle]: readonly [string | undefined, string],
  end: (one: Pending, row: Row) => void,
): Promise<void> {
  const { box, count } = stage;
  if (stage.lacks('optimistic')) return;
  const runs = await filled(stage, ['none']);
  if (runs === undefined) return;
  const each = Math.min(1000, count);
  const titles = Array.from({ length: each }, title);
  const rows = titles.map((title, at) => ({ ...makeRow(at + 1, authorsOf(count)), title }));
  const open = rows.map(pending);
  const done: Promise<unknown>[] = [];
  const start = () => {
    for (const [at, one] of open.entries())
      done.push(Promise.resolve(box.optimistic?.(at + 1, titles[at] as string, one.promise)));
    return settled();
  };
  const answer = async () => {
    for (const [at, one] of open.entries()) end(one, rows[at] as Row);
    await Promise.allSettled(done);
    await settled();
  };
  if (apply === undefined) await start();
  else await stage.wait(apply, each, start, runs);
  await stage.wait(settle, each, answer, runs);
}

const confirmed: Scene = {
  works: ['optimistic write: apply', 'optimistic write: confirm'],
  chained: true,
  play: (stage) =>
    writes(stage, ['optimistic write: apply', 'optimistic write: confirm'], (one, row) =>
      one.resolve(row),
    ),
};

const refused: Scene = {
  works: ['optimistic write: roll back'],
  play: (stage) =>
    writes(stage, [undefined, 'optimistic write: roll back'], (one) =>
      one.reject(new Error('refused')),
    ),
};

export const scenes: readonly Scene[] = [
  reading,
  again,
  rowsAlone,
  listed('snapshot'),
  listed('membership'),
  authors,
  oneAuthor,
  derived,
  movedByField,
  confirmed,
  refused,
];
