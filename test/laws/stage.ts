/** A store and its model under the same program, with readers of everything; `faults` compares them after each step. */
import { Collection, Delete, Entity } from 'signalbox';
import type { ReadonlySignal } from 'signalbox';
import { refusal, settled, watch, world } from '../setup/world.ts';
import type { Call, Watcher } from '../setup/world.ts';
import { Model } from './model.ts';
import type { Fields } from './model.ts';

class Row extends Entity {
  id = 0;
  kind = '';
  a = '';
  b = '';
}

const IDS = [1, 2, 3, 4, 5, 6, 7, 8];
const LISTS: Readonly<Record<string, object>> = { all: {}, x: { kind: 'x' } };
const NAMES = [
  ...IDS.map((id) => `row ${id}`),
  ...IDS.map((id) => `get ${id}`),
  ...Object.keys(LISTS).map((key) => `list ${key}`),
];
const fits = (row: Fields, key: string) => key === 'all' || row['kind'] === key;

interface Pending {
  readonly call: Call;
  /** What the server said when it was asked, and what the model makes of it when it arrives. */
  readonly value: unknown;
  readonly take: () => void;
}

export class Stage {
  readonly #w = world();
  readonly #rows = new Collection([Row]);
  readonly #model = new Model(
    { ...new Row() },
    Object.fromEntries(Object.keys(LISTS).map((key) => [key, (row: Fields) => fits(row, key)])),
  );
  /** What the server holds; it does each thing as it is asked. */
  readonly #server = new Map<number, Fields>();
  readonly pending: Pending[] = [];
  #unsettled = 0;
  #commits = 0;
  #serial = 0;
  readonly #rejected: unknown[] = [];
  readonly #get = this.#w.read('get', Row);
  readonly #list = this.#w.read('list', this.#rows);
  readonly #sources: readonly ReadonlySignal<unknown>[];
  readonly #readers: readonly Watcher<unknown>[];
  readonly #whole: Watcher<unknown>;
  #before: readonly { value: unknown; text: string; runs: number }[] = [];
  #wholeRuns = 0;

  constructor() {
    for (const id of [1, 2, 3])
      this.#server.set(id, { id, kind: id === 2 ? 'x' : 'y', a: 'a', b: 'b' });
    const { controller } = this.#w;
    this.#sources = [
      ...IDS.map((id) => controller.entity(Row, id)),
      ...IDS.map((id) => controller.signal(this.#get, { id })),
      ...Object.values(LISTS).map((args) => controller.signal(this.#list, args)),
    ];
    this.#readers = this.#sources.map((source) => watch(() => source.value));
    this.#whole = watch(() => this.#sources.map((source) => outline(source.value)));
    controller.on('commit', () => void this.#commits++);
    this.#note();
  }

  readonly heard = (reason: unknown): void => void this.#rejected.push(reason);

  #note(): void {
    this.#before = this.#sources.map((source, at) => {
      const value = source.peek();
      return { value, text: outline(value), runs: this.#readers[at]?.runs ?? 0 };
    });
    this.#wholeRuns = this.#whole.runs;
    this.#commits = 0;
  }

  #send(promise: Promise<unknown>, value: unknown, take: () => void): void {
    this.#unsettled++;
    void promise.then(
      () => this.#unsettled--,
      () => this.#unsettled--,
    );
    this.pending.push({ call: this.#w.call(), value, take });
  }

  /** A read that joined another one has no answer of its own. */
  #read(ask: () => Promise<unknown>, value: unknown, take: (time: number) => void): void {
    const before = this.#w.calls.length;
    const promise = ask();
    if (this.#w.calls.length === before) {
      this.#unsettled++;
      void promise.then(
        () => this.#unsettled--,
        () => this.#unsettled--,
      );
      return;
    }
    const time = this.#model.tick();
    this.#send(promise, value, () => take(time));
  }

  readRow(id: number, cut: boolean): void {
    const row = this.#server.get(id);
    if (row === undefined) return;
    const { b: _, ...less } = row;
    const value = cut ? less : row;
    this.#read(
      () => this.#w.controller.fetch(this.#get, { id }),
      value,
      (time) => {
        this.#model.write(value, time);
        this.#model.answer(`get ${id}`, time);
      },
    );
  }

  readList(key: string): void {
    const rows = [...this.#server.values()].filter((row) => fits(row, key));
    this.#read(
      () => this.#w.controller.fetch(this.#list, LISTS[key]),
      rows,
      (time) => {
        for (const row of rows) this.#model.write(row, time);
        this.#model.fill(
          key,
          rows.map((row) => row['id'] as number),
          time,
        );
        this.#model.answer(`list ${key}`, time);
      },
    );
  }

  update(id: number, name: string): void {
    const old = this.#server.get(id);
    if (old === undefined) return;
    const body = { [name]: `${name}${++this.#serial}` };
    const row: Fields = { ...old, ...body };
    this.#server.set(id, row);
    const update = this.#w.mutation('update', Row);
    const promise = this.#w.controller.fetch(update, { id }, body);
    const issued = this.#model.tick();
    this.#send(promise, row, () => {
      this.#model.write(row, issued, { names: [name], time: this.#model.tick() });
    });
  }

  create(kind: string): void {
    const id = 4 + this.#serial;
    if (++this.#serial > 5) return;
    const row: Fields = { id, kind, a: 'new', b: '' };
    this.#server.set(id, row);
    const create = this.#w.mutation('create', this.#rows.push);
    const promise = this.#w.controller.fetch(create, { kind, a: 'new' });
    const issued = this.#model.tick();
    this.#send(promise, row, () => {
      const time = this.#model.tick();
      this.#model.write(row, issued, { names: ['kind', 'a'], time });
      this.#model.enter(row, time);
    });
  }

  remove(id: number): void {
    if (!this.#server.delete(id)) return;
    const remove = this.#w.mutation('remove', new Delete(Row));
    const promise = this.#w.controller.fetch(remove, { id });
    this.#model.tick();
    this.#send(promise, {}, () => this.#model.remove(id, this.#model.tick()));
  }

  set(id: number, name: string): void {
    const fields = { [name]: `${name}${++this.#serial}` };
    void this.#w.controller.set(Row, { id }, fields);
    this.#model.write({ id, ...fields }, this.#model.tick());
  }

  invalidate(id: number | string): void {
    const { controller } = this.#w;
    if (typeof id === 'number') controller.invalidate(this.#get, { id });
    else controller.invalidate(this.#list, LISTS[id]);
    const key = typeof id === 'number' ? `get ${id}` : `list ${id}`;
    this.#model.invalidate(key, this.#model.tick());
  }

  expire(): void {
    this.#w.controller.expireAll(this.#list);
    this.#model.tick();
  }

  reset(): void {
    this.#w.controller.reset();
    this.#model.reset();
    this.#model.tick();
    // answers of before still come: nobody may see them
    for (const [at, { call, value }] of this.pending.entries())
      this.pending[at] = { call, value, take: () => {} };
  }

  async answer(at: number, fails = false): Promise<void> {
    if (this.pending.length === 0) return;
    const [{ call, value, take }] = this.pending.splice(at % this.pending.length, 1) as [Pending];
    if (fails) return call.fail(refusal(500));
    await call.answer(structuredClone(value));
    take();
  }

  /** After each step, what is wrong: the store is the model, and nobody ran without a cause or kept what is gone. */
  async faults(): Promise<string[]> {
    await settled();
    const found: string[] = [];
    const texts = this.#sources.map((source) => outline(source.peek()));
    this.#wanted().forEach((wanted, at) => {
      if (texts[at] !== wanted) found.push(`${NAMES[at]} is ${texts[at]}, not ${wanted}`);
    });
    if (this.#commits > 1) found.push(`${this.#commits} commits for one step`);
    for (const [at, { value, text, runs }] of this.#before.entries()) {
      const reader = this.#readers[at] as Watcher<unknown>;
      const now = this.#sources[at]?.peek();
      const ran = reader.runs - runs;
      if (text === texts[at] && now !== value)
        found.push(`${NAMES[at]} is equal and another reference`);
      if (reader.last !== now) found.push(`the reader of ${NAMES[at]} has not seen it`);
      if (ran !== (now === value ? 0 : 1))
        found.push(
          `the reader of ${NAMES[at]} ran ${ran} times, it ${now === value ? 'is as before' : 'changed'}`,
        );
    }
    // one run that sees everything sees this commit, whole
    if (this.#whole.runs - this.#wholeRuns > 1) found.push('a reader of everything ran twice');
    if (String(this.#whole.last) !== String(texts)) found.push('a reader of everything saw a mix');
    for (const row of this.#sources
      .slice(2 * IDS.length)
      .flatMap((list) => (list.peek() ?? []) as Row[])) {
      if (row !== this.#w.controller.get(Row, row.id))
        found.push(`row ${row.id} is two references`);
    }
    this.#note();
    return found;
  }

  #wanted(): string[] {
    const model = this.#model;
    const rows = IDS.map((id) => outline(model.row(id)));
    const gets = IDS.map((id, at) =>
      model.hidden(`get ${id}`) ? 'undefined' : (rows[at] as string),
    );
    const lists = Object.keys(LISTS).map((key) =>
      model.hidden(`list ${key}`) ? 'undefined' : outline(model.list(key)),
    );
    return [...rows, ...gets, ...lists];
  }

  /** What is left over when all is answered: it must be nothing. */
  end(): { readonly unsettled: number; readonly unheard: readonly unknown[] } {
    for (const reader of [...this.#readers, this.#whole]) reader.stop();
    return { unsettled: this.#unsettled, unheard: this.#rejected };
  }
}

/** As text, members sorted: unequal text, unequal data. */
function outline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(outline).join()}]`;
  if (value === null || typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}=${String(member)}`)
    .sort()
    .join(' ');
}
