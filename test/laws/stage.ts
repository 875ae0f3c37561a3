/** A store, its model and a server under the same steps: each step is one thing that a user, a server or time may do. */
import { Collection, Delete } from 'signalbox';
import type { ReadonlySignal } from 'signalbox';
import { settled, world } from '../setup/world.ts';
import type { Asked } from '../setup/world.ts';
import { abilities, comingOf } from './abilities.ts';
import { Audience } from './audience.ts';
import type { Shown } from './audience.ts';
import type { Fields } from './confirmed.ts';
import { Model } from './model.ts';
import type { Mutation } from './model.ts';
import { Post } from './post.ts';
import type { Ending, Outcome } from './post.ts';
import { fits, IDS, LISTS, Row, Server } from './server.ts';

/** How a mutation goes: `optimistic`, what it expects is shown; `refused`, the server will not do it. */
export type Manner = 'plain' | 'refused' | 'optimistic' | 'optimistic, refused';

interface Snapshot {
  readonly abort: Error;
  get(schema: typeof Row, params: Fields): Row | undefined;
}

/** A mutation, to the library and to the model. */
interface Deed extends Omit<Mutation, 'issued'> {
  readonly name: string;
  readonly schema: unknown;
  readonly args: readonly Fields[];
  /** What it expects to be answered, as an endpoint says it; `expect` is the same for the model. */
  readonly response: (snapshot: Snapshot) => Fields;
  readonly id: number;
  readonly manner: Manner;
  /** What the server makes of it. */
  readonly serve: () => unknown;
  /** An empty answer tells no pk. */
  readonly needsAnswer?: boolean;
}

export class Stage {
  readonly #w = world({ retry: false });
  readonly #rows = new Collection([Row]);
  readonly #model = new Model(
    { ...new Row() },
    Object.fromEntries(Object.keys(LISTS).map((key) => [key, (row: Fields) => fits(row, key)])),
  );
  readonly #server = new Server();
  readonly #post = new Post();
  readonly #rejected: unknown[] = [];
  readonly #get = this.#w.read('get', Row);
  readonly #list = this.#w.read('list', this.#rows);
  readonly #audience: Audience;
  #faults: string[] = [];
  #commits = 0;
  #serial = 0;

  constructor() {
    this.#w.controller.on('commit', () => void this.#commits++);
    this.#audience = new Audience([
      ...IDS.map((id) => this.#shown(`row ${id}`, this.#w.controller.entity(Row, id))),
      ...IDS.map((id) => this.#shown(`get ${id}`, this.#w.controller.signal(this.#get, { id }))),
      ...Object.entries(LISTS).map(([key, args]) =>
        this.#shown(`list ${key}`, this.#w.controller.signal(this.#list, args)),
      ),
    ]);
  }

  #shown(name: string, source: ReadonlySignal<unknown>): Shown {
    const [what, of = ''] = name.split(' ');
    return {
      name,
      source,
      wanted: (model, picture) => {
        if (model.hidden(name)) return undefined;
        return what === 'list' ? picture.list(of) : picture.row(Number(of));
      },
    };
  }

  readonly heard = (reason: unknown): void => void this.#rejected.push(reason);

  get pending(): number {
    return this.#post.length;
  }

  /** The endpoint and the arguments behind a name. */
  #request(name: string): [Asked<unknown>, object] {
    const [what, of = ''] = name.split(' ');
    return what === 'list' ? [this.#list, LISTS[of] as object] : [this.#get, { id: Number(of) }];
  }

  readRow(id: number, cut: boolean): void {
    const row = this.#server.row(id);
    if (row === undefined) return;
    const { b: _b, n: _n, ...less } = row;
    this.#read(`get ${id}`, cut ? less : row);
  }

  readList(key: string): void {
    this.#read(`list ${key}`, this.#server.list(key));
  }

  /** A read joins another of its key, or is a request of its own: the model says which. */
  #read(name: string, value: Fields | readonly Fields[]): void {
    const model = this.#model;
    const [endpoint, args] = this.#request(name);
    const joins = model.joins(name);
    const sent = this.#w.calls.length;
    const abort = new AbortController();
    const asking = endpoint.extend({ signal: abort.signal });
    const fate = this.#post.follow(this.#w.controller.fetch(asking, args));
    const joined = this.#w.calls.length === sent;
    if (joined !== joins)
      this.#faults.push(`${joined ? 'older request joined' : 'one key asked twice'}: ${name}`);
    if (joined) return this.#post.share(name);
    const time = model.ask(name);
    let counts = false;
    const rows = Array.isArray(value) ? (value as Fields[]) : [value as Fields];
    const outcome: Outcome = {
      value,
      take: () => {
        if (Array.isArray(value)) model.fill(name, rows, time);
        counts = model.answer(name, time, rows);
      },
      miss: () => model.missed(name, time),
      shown: () => (model.hidden(name) ? undefined : this.#audience.peek(name)),
      stale: () => counts && model.late(time, rows) && this.#fresh(name),
    };
    this.#post.send({ call: this.#w.call(), key: name, abort, fate, outcome });
  }

  #fresh(name: string): boolean {
    const { controller, clock } = this.#w;
    return controller.getResponse(...this.#request(name)).expiresAt > clock.now();
  }

  update(id: number, name: string, manner: Manner = 'plain'): void {
    const old = this.#server.row(id);
    if (old === undefined || this.#model.hides(id)) return;
    const body = { [name]: name === 'n' ? 10 * ++this.#serial : `${name}${++this.#serial}` };
    this.#mutate({
      ...{ name: 'update', schema: Row, effect: 'change', id, manner, args: [{ id }, body] },
      names: [name],
      serve: () => this.#server.put({ ...old, ...body }),
      response: () => ({ id, ...body }),
      expect: () => ({ id, ...body }),
    });
  }

  /** Its body names no field, and what it expects hangs on what is shown. */
  bump(id: number, manner: Manner = 'plain'): void {
    const old = this.#server.row(id);
    if (old === undefined || this.#model.hides(id)) return;
    const more = (row: { readonly n?: unknown }) => ({ id, n: Number(row.n) + 1 });
    this.#mutate({
      ...{ name: 'bump', schema: Row, effect: 'change', id, manner, args: [{ id }], names: [] },
      serve: () => this.#server.put({ ...old, ...more(old) }),
      response: (snapshot) => {
        const row = snapshot.get(Row, { id });
        if (row === undefined) throw snapshot.abort;
        return more(row);
      },
      expect: (look) => {
        const row = look(id);
        return row && more(row);
      },
    });
  }

  /** The server gives the pk. */
  create(kind: string, manner: Manner = 'plain'): void {
    const id = this.#server.next();
    if (id === undefined) return;
    const body = { kind, a: `a${++this.#serial}` };
    const temporary = -this.#serial;
    this.#mutate({
      ...{ name: 'create', schema: this.#rows.push, effect: 'creation', id, manner, args: [body] },
      names: ['kind', 'a'],
      serve: () => this.#server.put({ id, ...body, b: 'made', n: 1 }),
      response: () => body,
      expect: () => ({ id: temporary, ...body }),
      needsAnswer: true,
    });
  }

  /** The client gives the pk; where the server has it already, it refuses. */
  createAs(id: number, kind: string, manner: Manner = 'plain'): void {
    if (this.#model.picture().rows.has(id)) return;
    if (!abilities.rebirth && this.#server.removed.has(id)) return;
    const body = { id, kind, a: `a${++this.#serial}` };
    const known = this.#server.row(id) !== undefined;
    this.#mutate({
      ...{ name: 'create', schema: this.#rows.push, effect: 'creation', id, args: [body] },
      manner: known ? refusing(manner) : manner,
      names: ['kind', 'a'],
      serve: () => this.#server.put({ ...body, b: 'made', n: 1 }),
      response: () => body,
      expect: () => body,
    });
  }

  remove(id: number, manner: Manner = 'plain'): void {
    if (this.#server.row(id) === undefined || this.#model.hides(id)) return;
    this.#mutate({
      ...{ name: 'remove', schema: new Delete(Row), effect: 'deletion', id, manner, names: [] },
      args: [{ id }],
      serve: () => (this.#server.remove(id), {}),
      response: () => ({ id }),
      expect: () => ({ id }),
    });
  }

  #mutate(deed: Deed): void {
    const { name, schema, args, id, effect, names, manner, needsAnswer = false } = deed;
    const optimistic = abilities.optimism && manner.startsWith('optimistic');
    const value = manner.endsWith('refused') ? undefined : deed.serve();
    const abort = new AbortController();
    const endpoint = this.#w.mutation(name, schema, {
      signal: abort.signal,
      ...(optimistic && { getOptimisticResponse: deed.response }),
    });
    const fate = this.#post.follow(this.#w.controller.fetch(endpoint, ...args));
    const model = this.#model;
    const expect = optimistic ? deed.expect : undefined;
    const mutation: Mutation = { effect, names, issued: model.tick(), expect };
    model.issue(mutation);
    const outcome: Outcome = {
      value,
      take: () => model.confirm(mutation, id, value as Fields),
      empty: needsAnswer ? undefined : () => model.confirm(mutation, id, undefined),
      miss: () => model.drop(mutation),
      shown: () => (effect === 'deletion' ? undefined : this.#audience.peek(`row ${id}`)),
      stale: (ending) => ending === 'empty' && effect === 'change' && this.#fresh(`get ${id}`),
    };
    this.#post.send({ call: this.#w.call(), abort, fate, outcome });
  }

  set(id: number, name: string): void {
    const fields = { [name]: name === 'n' ? 10 * ++this.#serial : `${name}${++this.#serial}` };
    void this.#w.controller.set(Row, { id }, fields);
    this.#model.push({ id, ...fields });
  }

  /** Two pushes as one (O9); or none of both. */
  both(one: number, other: number, throws: boolean): void {
    const { transaction } = comingOf(this.#w.controller);
    if (!abilities.transaction) return;
    const rows = [one, other].map((id) => ({ id, b: `b${++this.#serial}` }));
    const work = () => {
      for (const row of rows) void this.#w.controller.set(Row, { id: row.id }, row);
      if (throws) throw new Error('given up');
      for (const row of rows) this.#model.push(row);
    };
    try {
      void this.#post.follow(Promise.resolve(transaction?.call(this.#w.controller, work)));
    } catch {
      // it says so to its caller
    }
  }

  invalidate(of: number | string): void {
    const name = typeof of === 'number' ? `get ${of}` : `list ${of}`;
    this.#w.controller.invalidate(...this.#request(name));
    this.#model.invalidate(name);
  }

  expire(): void {
    this.#w.controller.expireAll(this.#list);
    this.#model.tick();
  }

  /** Lets the clock of the machine go on, stand or step back: data stay as they are. */
  wait(ms: number): void {
    this.#w.clock.advance(ms);
    this.#commits = 0;
  }

  sweep(): void {
    if (abilities.sweep) comingOf(this.#w.controller).sweep?.();
    this.#commits = 0;
  }

  async reset(): Promise<void> {
    this.#w.controller.reset();
    this.#model.reset();
    this.#faults.push(...(await this.#post.lose()));
  }

  async answer(at: number, ending: Ending = 'answer'): Promise<void> {
    if (this.pending > 0) this.#faults.push(...(await this.#post.end(at, ending)));
  }

  /** After each step, what is wrong: the store is the model, and nobody ran without a cause or kept what is gone. */
  async faults(): Promise<string[]> {
    await settled();
    const found = [...this.#faults, ...this.#audience.faults(this.#model)];
    if (this.#commits > 1) found.push(`several commits for one step: ${this.#commits}`);
    this.#faults = [];
    this.#commits = 0;
    this.#audience.note();
    return found;
  }

  /** What is left over when all is answered: it must be nothing. */
  end(): string[] {
    this.#audience.stop();
    return [
      ...(this.#post.waiting > 0 ? [`promise never settled: ${this.#post.waiting}`] : []),
      ...this.#rejected.map((reason) => `unhandled rejection: ${String(reason)}`),
    ];
  }
}

function refusing(manner: Manner): Manner {
  return manner.startsWith('optimistic') ? 'optimistic, refused' : 'refused';
}
