/** Readers of all data in a store; after each step, the faults in the data that readers saw. */
import type { ReadonlySignal } from 'signalbox';
import { watch } from '../setup/world.ts';
import type { Watcher } from '../setup/world.ts';
import type { Fields } from './confirmed.ts';
import type { Model, ShownData } from './model.ts';

/** A shown value: the name, the place of the read, and the expected value of the model. */
export interface Shown {
  readonly name: string;
  readonly source: ReadonlySignal<unknown>;
  readonly wanted: (
    model: Model,
    picture: ShownData,
    seen: unknown,
  ) => Fields | readonly Fields[] | undefined;
  /** The rows are copies of the rows of a live reader. */
  readonly copies?: boolean;
}

interface Before {
  readonly value: unknown;
  readonly text: string;
  readonly runs: number;
}

export class StoreReaders {
  readonly #shown: readonly Shown[];
  readonly #readers: readonly Watcher<unknown>[];
  readonly #whole: Watcher<unknown>;
  #before: readonly Before[] = [];
  #wholeRuns = 0;

  constructor(shown: readonly Shown[]) {
    this.#shown = shown;
    this.#readers = shown.map(({ source }) => watch(source));
    this.#whole = watch(() => shown.map(({ source }) => outline(source.value)));
    this.note();
  }

  /** The data that readers see under a name. */
  peek(name: string): unknown {
    return this.#shown.find((shown) => shown.name === name)?.source.peek();
  }

  /** From here on a step begins. */
  note(): void {
    this.#before = this.#shown.map(({ source }, at) => {
      const value = source.peek();
      return { value, text: outline(value), runs: this.#readers[at]?.runs ?? 0 };
    });
    this.#wholeRuns = this.#whole.runs;
  }

  /** Each fault begins with the kind. A step of several commits may run readers as often. */
  faults(model: Model, several: boolean): string[] {
    const texts = this.#shown.map(({ source }) => outline(source.peek()));
    const picture = model.picture();
    return [
      ...this.#shown.flatMap(({ name, source, wanted }, at) => {
        const due = outline(wanted(model, picture, source.peek()));
        const [has, wants] = [texts[at] as string, due];
        if (has === wants) return [];
        return `${kindOf(model, name, has, wants)}: ${name} is ${has}, not ${wants}`;
      }),
      ...this.#unseen(),
      ...(several ? [] : this.#before.flatMap((before, at) => this.#runs(before, at, texts[at]))),
      ...(several ? [] : this.#together(texts)),
      ...this.#references(),
    ];
  }

  #unseen(): string[] {
    const unseen = this.#shown.filter(
      ({ source }, at) => this.#readers[at]?.last !== source.peek(),
    );
    return unseen.map(({ name }) => `change not seen: ${name}`);
  }

  /** V2, V3: a reader runs for a cause and once; equal values keep the reference. */
  #runs({ value, text, runs }: Before, at: number, now: string | undefined): string[] {
    const { name, source } = this.#shown[at] as Shown;
    const ran = (this.#readers[at]?.runs ?? 0) - runs;
    const same = source.peek() === value;
    if (text === now && !same) return [`new identity for equal content: ${name}`];
    if (same && ran > 0) return [`wake-up for nothing: ${name}, ${ran} times`];
    return ran > 1 ? [`woken more than once: ${name}, ${ran} times`] : [];
  }

  /** A run that sees all data sees this commit, whole. */
  #together(texts: readonly string[]): string[] {
    const found: string[] = [];
    const ran = this.#whole.runs - this.#wholeRuns;
    if (ran > 1) found.push(`mix of two commits: a reader of everything ran ${ran} times`);
    if (String(this.#whole.last) !== String(texts))
      found.push('mix of two commits: a reader of everything saw what no longer is');
    return found;
  }

  /** V3: a row has the same reference in all lists, and alone. */
  #references(): string[] {
    const known = new Map<string, unknown>();
    const found: string[] = [];
    for (const { name, source, copies } of this.#shown) {
      if (copies === true) continue;
      const value = source.peek() ?? [];
      for (const row of Array.isArray(value) ? (value as unknown[]) : [value]) {
        const text = outline(row);
        if (known.has(text) && known.get(text) !== row)
          found.push(`two references for one row: ${text} of ${name}`);
        known.set(text, row);
      }
    }
    return found;
  }

  stop(): void {
    for (const reader of [...this.#readers, this.#whole]) reader.stop();
  }
}

/** The kind of a value that differs from the model. */
function kindOf(model: Model, name: string, has: string, wants: string): string {
  const id = Number(name.split(' ')[1]);
  if (wants === 'undefined') {
    if (model.hidden(name)) return 'invalidation lost';
    if (model.knows(id)) return 'deleted row resurrected';
    return model.resets > 0 ? 'reset leaks' : 'layer left behind';
  }
  if (has === 'undefined') return 'data lost';
  if (name.startsWith('list')) return kindOfList(rowsOf(has).map(idOf), rowsOf(wants).map(idOf));
  const wrong = wants.split(' ').filter((field) => !has.split(' ').includes(field));
  return `${model.origin(id, wrong[0]?.split('=')[0] ?? '')} lost`;
}

function kindOfList(seen: readonly string[], due: readonly string[]): string {
  if (new Set(seen).size < seen.length && new Set(due).size === due.length)
    return 'row listed twice';
  if (seen.some((id) => !due.includes(id))) return 'row listed that is gone';
  if (due.some((id) => !seen.includes(id))) return 'listed row lost';
  return String(seen) === String(due) ? 'row in a list is another' : 'rows change places';
}

const rowsOf = (text: string): string[] => text.match(/[^[\];]+/g) ?? [];
const idOf = (row: string): string => / ?id=(\S+)/.exec(row)?.[1] ?? '';

/** As text, members sorted: unequal text, unequal data. A row that has no pk of the server yet is `new`. */
export function outline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(outline).join(';')}]`;
  if (value === null || typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}=${name === 'id' ? named(member) : outlineIn(member)}`)
    .sort()
    .join(' ');
}

function outlineIn(member: unknown): string {
  const isPlain = Array.isArray(member) && typeof member[0] !== 'object';
  return isPlain ? member.join('+') : outline(member);
}

function named(id: unknown): string {
  return typeof id === 'number' && id > 0 ? String(id) : 'new';
}
