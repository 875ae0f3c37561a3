/** Whether a contender does the works at all: after each, its list must read as that of the hand-written program. */
import { makeRow, makeRows } from './Contender.ts';
import type { Contender, Row } from './Contender.ts';
import { handWritten } from './contenders/handWritten.ts';

const COUNT = 200;
const rows = (): [Row[], string] => {
  const made = makeRows(COUNT, 2);
  return [made, JSON.stringify(made)];
};

type Step = [verb: keyof Contender, step: (box: Contender) => unknown];

const answer = (id: number, title: string): Row => ({ ...makeRow(id, 2), title });
const confirm = (title: string) => (box: Contender) =>
  box.optimistic?.(9, title, Promise.resolve(answer(9, title)));
const refuse = (box: Contender) =>
  box.optimistic?.(10, 'refused', Promise.reject(new Error('refused')))?.catch(() => {});

const steps: readonly Step[] = [
  ['ingest', (box) => box.ingest(...rows())],
  ['changeRow', (box) => box.changeRow?.(5, 'changed')],
  ['changeScore', (box) => box.changeScore?.(6, 5000)],
  ['changeAuthor', (box) => box.changeAuthor?.(1, 'somebody')],
  ['push', (box) => box.push?.(makeRow(COUNT + 1, 2))],
  ['move', (box) => box.move?.(100)],
  ['remove', (box) => box.remove?.(50)],
  ['optimistic', confirm('sent')],
  ['optimistic', refuse],
  ['optimistic', confirm('again')],
];

/** What is wrong, verb by verb; nothing where all is well. */
export async function check(make: () => Contender): Promise<string[]> {
  const faults: string[] = [];
  const box = make();
  if (box.readAll === undefined) return [];
  let runs: (() => number) | undefined;
  for (const [verb, step] of steps) {
    if (box[verb] === undefined) continue;
    const unit = handWritten();
    const known = steps.slice(0, steps.findIndex(([, other]) => other === step) + 1);
    for (const [name, play] of known) if (box[name] !== undefined) await play(unit);
    const before = runs?.();
    await step(box);
    await new Promise((done) => setTimeout(done, 5));
    runs ??= mounted(box);
    if (before !== undefined && runs?.() === before) faults.push(`${verb}: no view has run`);
    if (box.readAll() !== unit.readAll?.()) faults.push(`${verb}: the list reads otherwise`);
  }
  return faults;
}

function mounted(box: Contender): (() => number) | undefined {
  const ids = makeRows(COUNT, 2).map(({ id }) => id);
  return box.mount?.(ids, 'snapshot') ?? box.mount?.(ids, 'membership');
}
