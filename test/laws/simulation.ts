/** A store, a model and a server under the same steps: each step is an action of a user or a server, or time that passes. */
import { All, transaction } from 'signalbox';
import type { Controller, ReadonlySignal } from 'signalbox';
import { settled, world } from '../setup/world.ts';
import type { Asked, Call } from '../setup/world.ts';
import { addresses } from './addresses.ts';
import { IndependentModels } from './independentModels.ts';
import { StoreReaders } from './storeReaders.ts';
import type { Shown } from './storeReaders.ts';
import type { Fields } from './confirmed.ts';
import {
  bump,
  create,
  optimistic,
  remove,
  removeNew,
  star,
  update,
  updateNew,
} from './mutations.ts';
import type { MutationPlan } from './mutations.ts';
import { Model } from './model.ts';
import type { Mutation } from './model.ts';
import { TemporaryRows } from './temporaryRows.ts';
import { everyRow, lively } from './derivedReaders.ts';
import type { Unnamed } from './temporaryRows.ts';
import { RequestsInFlight } from './requestsInFlight.ts';
import type { Ending, AwaitedRequest, Outcome } from './requestsInFlight.ts';
import { MountedViews } from './mountedViews.ts';
import { IDS, KINDS, LISTS, ruleOf, Row, Server } from './server.ts';
import type { Address, List } from './server.ts';

/** The outcome of a mutation: `optimistic`: the expected value is shown; `refused`: the server rejects the mutation. */
export type Manner = 'plain' | 'refused' | 'optimistic' | 'optimistic, refused';

export class Simulation {
  readonly #w = world({ retry: false });
  readonly #model = new Model(
    { ...new Row() },
    Object.fromEntries(Object.entries(LISTS).map(([key, list]) => [key, ruleOf(list)])),
  );
  readonly #server = new Server();
  readonly #inFlight = new RequestsInFlight();
  readonly #temporaryRows = new TemporaryRows();
  readonly #rejected: unknown[] = [];
  readonly #get = this.#w.read('get', Row);
  readonly #at = addresses(this.#w);
  readonly #mountedViews = new MountedViews();
  readonly independent: IndependentModels = new IndependentModels({
    w: this.#w,
    model: this.#model,
    inFlight: this.#inFlight,
    send: (request) => {
      this.#known.add(request.call);
      this.#inFlight.send(request);
    },
    peek: (name) => this.#storeReaders.peek(name),
    fault: (what) => void this.#faults.push(what),
    several: () => void (this.#several = true),
  });
  /** The requests that steps and mounted readers have sent. */
  readonly #known = new Set<Call>();
  readonly #storeReaders: StoreReaders;
  #faults: string[] = [];
  /** A step of several commits. */
  #several = false;
  #commits = 0;
  /** A mutation was answered in this step: the lists that may have changed are known. */
  #sure = false;
  #serial = 0;
  /** How many requests were sent before this step. */
  #sent = 0;

  constructor() {
    this.#w.controller.on('commit', () => void this.#commits++);
    this.#model.elapse(this.#w.clock.now());
    this.#storeReaders = new StoreReaders([
      ...this.independent.shown,
      ...IDS.map((id) => this.#shown(`row ${id}`, this.#w.controller.entity(Row, id))),
      ...IDS.map((id) => this.#shown(`get ${id}`, this.#w.controller.signal(this.#get, { id }))),
      ...Object.entries(LISTS).map(([key, { at, args }]) =>
        this.#shown(`list ${key}`, this.#w.controller.signal(this.#at[at].list, args)),
      ),
      ...Object.keys(LISTS).map((key) => this.#lively(key)),
      everyRow(this.#w.controller),
    ]);
  }

  #shown(name: string, source: ReadonlySignal<unknown>): Shown {
    const [what, of = ''] = name.split(' ');
    return {
      name,
      source,
      wanted: (model, picture) => {
        if (model.hidden(name)) return undefined;
        if (what === 'get' && !model.complete(name, Number(of))) return undefined;
        return what === 'list' ? picture.list(of) : picture.row(Number(of));
      },
    };
  }

  #lively(key: string): Shown {
    const source = lively(this.#w.controller.view(...this.#request(`list ${key}`)));
    return { ...this.#shown(`list ${key}`, source), name: `live ${key}`, copies: true };
  }

  readonly heard = (reason: unknown): void => void this.#rejected.push(reason);

  get pending(): number {
    return this.#inFlight.length;
  }

  /** The endpoint and the arguments behind a name. */
  #request(name: string): [Asked<unknown>, object] {
    const [what, of = ''] = name.split(' ');
    if (what !== 'list') return [this.#get, { id: Number(of) }];
    const { at, args } = LISTS[of] as List;
    return [this.#at[at].list, args];
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

  /** Whether a read joins another request of the key, or is a new request: the model decides. */
  #read(name: string, value: Fields | readonly Fields[]): void {
    const model = this.#model;
    const [endpoint, args] = this.#request(name);
    const joins = model.joins(name, true);
    const sent = this.#w.calls.length;
    const abort = new AbortController();
    const asking = endpoint.extend({ signal: abort.signal });
    const fate = this.#inFlight.follow(this.#w.controller.fetch(asking, args));
    const joined = this.#w.calls.length === sent;
    if (joined !== joins)
      this.#faults.push(`${joined ? 'older request joined' : 'one key asked twice'}: ${name}`);
    if (joined) return this.#inFlight.share(name);
    this.#send(name, { call: this.#sentAs(endpoint.name, sent), abort, fate }, value);
  }

  /** The request that was sent since there were so many. */
  #sentAs(name: string, since: number): Call {
    const call = this.#w.calls.slice(since).find((one) => one.name === name);
    if (call === undefined) throw new Error(`${name} was never sent`);
    return call;
  }

  #send(name: string, request: Omit<AwaitedRequest, 'outcome'>, value: Outcome['value']): void {
    const model = this.#model;
    const time = model.ask(name);
    let counts = false;
    const brought = Array.isArray(value) ? (value as Fields[]) : [value as Fields];
    const outcome: Outcome = {
      value,
      take: () => {
        if (Array.isArray(value)) model.fill(name, brought, time);
        counts = model.answer(name, time, brought);
      },
      miss: () => model.missed(name, time),
      shown: () => (model.hidden(name) ? undefined : this.#storeReaders.peek(name)),
      mayBeEmpty: false,
      takeEmpty: () => {},
      stale: () => counts && model.late(time, brought) && this.#countsAsFresh(name),
    };
    this.#known.add(request.call);
    this.#inFlight.send({ ...request, key: name, outcome });
    if (this.#mountedViews.has(name)) this.#inFlight.share(name);
  }

  /** Mounts a reader, which stays mounted. */
  mount(of: number | string): void {
    const name = nameOf(of);
    this.#mountedViews.mount(name, this.#w.controller.view(...this.#request(name)));
    this.#inFlight.share(name);
  }

  /** The requests that mounted readers sent by themselves, up to a given request. */
  #automatic(until?: Call): void {
    const { calls } = this.#w;
    const end = until === undefined ? calls.length : calls.indexOf(until);
    const own = calls.slice(0, end).filter((call) => !this.#known.has(call));
    for (const call of own) {
      const args = JSON.stringify(call.args[0] ?? {});
      const name = this.#mountedViews.names.find((one) => {
        const [endpoint, of] = this.#request(one);
        return endpoint.name === call.name && JSON.stringify(of) === args;
      });
      if (name === undefined) {
        this.#known.add(call);
        this.#faults.push(`asked for nobody: ${call.name} ${args}`);
        continue;
      }
      if (this.#model.joins(name)) this.#faults.push(`one key asked twice: ${name}`);
      if (this.#mountedViews.ended(name)) this.#faults.push(`deleted row asked for: ${name}`);
      const [what = '', of = ''] = name.split(' ');
      if (what === 'list' && this.#sure && !this.#model.needs(name))
        this.#faults.push(`asked without need: ${name}`);
      const value = what === 'list' ? this.#server.list(of) : this.#server.row(Number(of));
      const request = { call, abort: new AbortController(), fate: { ended: true } };
      this.#send(name, { ...request, automatic: true }, value);
    }
  }

  /** N18: a list that may have changed is refetched where mounted, and counts as expired. */
  #doubted(): string[] {
    return Object.keys(LISTS).flatMap((key) => {
      const name = `list ${key}`;
      const doubted = this.#model.doubted(name);
      if (doubted === undefined) return [];
      if (this.#countsAsFresh(name)) return [`doubtful list counts as fresh: ${name}`];
      const asks = doubted === 'unasked' && this.#mountedViews.has(name);
      return asks ? [`doubtful list not asked for: ${name}`] : [];
    });
  }

  #countsAsFresh(name: string): boolean {
    const { controller, clock } = this.#w;
    return controller.getResponse(...this.#request(name)).expiresAt > clock.now();
  }

  /** The row as the server has the row, if a client can see and change the row. */
  #old(id: number): Fields | undefined {
    return this.#model.hides(id) ? undefined : this.#server.row(id);
  }

  /** A value that was never written before; for a field that is an argument of lists, a value of a small set. */
  #fresh(name: string): Fields {
    const serial = ++this.#serial;
    if (name === 'kind') return { kind: KINDS[serial % KINDS.length] };
    if (name === 'tags') return { tags: serial % 2 === 0 ? ['a', 'b'] : ['b'] };
    return { [name]: name === 'n' ? 10 * serial : `${name}${serial}` };
  }

  update(id: number, name: string, manner: Manner = 'plain'): void {
    const old = this.#old(id);
    if (old !== undefined) this.#mutate(update(old, this.#fresh(name)), manner);
  }

  bump(id: number, manner: Manner = 'plain'): void {
    const old = this.#old(id);
    if (old !== undefined) this.#mutate(bump(old), manner);
  }

  star(id: number, n: 0 | 1, manner: Manner = 'plain'): void {
    const old = this.#old(id);
    if (old !== undefined) this.#mutate(star(old, n), manner);
  }

  remove(id: number, manner: Manner = 'plain'): void {
    if (this.#old(id) !== undefined) this.#mutate(remove(id), manner);
  }

  /** The server gives the pk. */
  create(kind: string, manner: Manner = 'plain', at: Address = 'rows'): void {
    const id = this.#server.next();
    const body = { kind, ...this.#fresh('a') };
    if (id !== undefined) this.#mutate(create(at, id, body, -this.#serial), manner);
  }

  /** The client gives the primary key; the server rejects a key that exists. */
  createAs(id: number, kind: string, manner: Manner = 'plain'): void {
    if (this.#model.picture().rows.has(id)) return;
    const known = this.#server.row(id) !== undefined && !manner.endsWith('refused');
    const refused = manner === 'optimistic' ? 'optimistic, refused' : 'refused';
    this.#mutate(create('rows', id, { id, kind, ...this.#fresh('a') }), known ? refused : manner);
  }

  /** A change of the last created row while the row has no primary key: the change waits for the key. */
  updateNew(name: string, manner: Manner = 'plain'): void {
    const row = this.#unnamed();
    if (row !== undefined) this.#mutate(updateNew(row, this.#fresh(name)), manner, row);
  }

  removeNew(manner: Manner = 'plain'): void {
    const row = this.#unnamed();
    if (row !== undefined) this.#mutate(removeNew(row), manner, row);
  }

  #unnamed(): Unnamed | undefined {
    const { last } = this.#temporaryRows;
    return last === undefined || this.#model.hides(last.id) ? undefined : last;
  }

  #mutate(plan: MutationPlan, manner: Manner, waitsFor?: Unnamed): void {
    const { name, schema, args, id, effect, names, sent: body, at } = plan;
    const expects = manner.startsWith('optimistic');
    const abort = new AbortController();
    const options = {
      signal: abort.signal,
      ...(expects && { getOptimisticResponse: optimistic(plan) }),
    };
    const endpoint = at
      ? this.#at[at].create.extend(options)
      : this.#w.mutation(name, schema, options);
    const sent = this.#w.calls.length;
    const fate = this.#inFlight.follow(this.#w.controller.fetch(endpoint, ...args));
    const model = this.#model;
    const expect = expects ? plan.expect : undefined;
    const mutation: Mutation = { effect, names, sent: body, issued: model.tick(), expect, at };
    model.issue(mutation);
    const born = this.#born(plan, mutation);
    const send = (call: Call) => {
      this.#automatic(call);
      this.#known.add(call);
      const value = manner.endsWith('refused') ? undefined : plan.serve(this.#server);
      let contested = false;
      model.sent(mutation, waitsFor !== undefined);
      const take = (said: Fields | undefined) => {
        if (born !== undefined) born.id = id;
        model.confirm(mutation, id, said);
        contested = model.contested(mutation, id, said);
        if (born === undefined) return;
        this.#faults.push(...this.#temporaryRows.name(born, this.#mutationsSent()));
      };
      const outcome: Outcome = {
        value,
        take: () => {
          take(value);
          this.#sure = !contested && !model.isDoubted;
        },
        ...(effect !== 'deletion' && {
          takePartial: (said: Fields) => {
            take(said);
            return Object.keys(body).some((field) => !(field in said));
          },
        }),
        // without a pk there is no row
        mayBeEmpty: effect !== 'creation' || 'id' in (args[0] as Fields),
        takeEmpty: () => take(undefined),
        miss: () => {
          model.fail(mutation);
          if (born === undefined) return;
          this.#several ||= born.waiting.length > 0;
          this.#faults.push(...this.#temporaryRows.lose(born));
        },
        shown: () => (effect === 'deletion' ? undefined : this.#storeReaders.peek(`row ${id}`)),
        stale: (lacks) =>
          (lacks || contested) && effect !== 'deletion' && this.#countsAsFresh(`get ${id}`),
      };
      this.#inFlight.send({ call, abort, fate, outcome });
    };
    if (waitsFor === undefined) return send(this.#sentAs(name, sent));
    const lose = () => (model.fail(mutation), fate.with);
    waitsFor.waiting.push({ send, lose });
  }

  /** In this step. */
  #mutationsSent(): Call[] {
    const sent = this.#w.calls.slice(this.#sent);
    return sent.filter(({ name }) => name !== 'get' && !(name in this.#at));
  }

  /** The row that a creation shows before the server has assigned the key. */
  #born({ effect, args, id: real }: MutationPlan, { expect }: Mutation): Unnamed | undefined {
    const id = Number(expect?.(() => undefined)?.['id']);
    if (effect !== 'creation' || !(id < 0)) return undefined;
    const { a } = args[0] as { a?: unknown };
    const shown = this.#w.controller.get(new All(Row));
    const key = shown?.find((row) => row.id < 0 && row.a === a)?.id;
    if (key === undefined) return undefined;
    const born = { real, key, id, waiting: [] };
    this.#temporaryRows.add(born);
    return born;
  }

  set(id: number, name: string): void {
    const fields = this.#fresh(name);
    void this.#w.controller.set(Row, { id }, fields);
    this.#model.push({ id, ...fields });
  }

  /** Two pushes in a transaction: both or neither (O9); each push is shown at once. */
  both(one: number, other: number, throws: boolean): void {
    const rows = [one, other].map((id) => ({ id, ...this.#fresh('b') }));
    const work = ({ set }: Pick<Controller, 'set'>) => {
      for (const row of rows) void set(Row, { id: row.id }, row);
      if (throws) throw new Error('given up');
    };
    this.#inFlight.follow(transaction(this.#w.controller, work));
    if (!throws) for (const row of rows) this.#model.push(row);
    this.#several = true;
  }

  invalidate(of: number | string): void {
    const name = nameOf(of);
    this.#w.controller.invalidate(...this.#request(name));
    this.#model.invalidate(name);
  }

  expire(): void {
    for (const { list } of Object.values(this.#at)) this.#w.controller.expireAll(list);
    this.#model.tick();
    this.#several = true;
  }

  /** Moves the wall clock on, keeps the time, or moves the clock back: the data do not change. */
  wait(ms: number): void {
    this.#w.clock.advance(ms);
    this.#model.elapse(this.#w.clock.now());
    this.#several = true;
  }

  sweep(): void {
    this.#w.controller.sweep();
    this.#several = true;
  }

  async reset(): Promise<void> {
    this.#w.controller.reset();
    this.#model.reset();
    this.#temporaryRows.clear();
    this.#mountedViews.reset();
    this.independent.reset();
    this.#faults.push(...(await this.#inFlight.lose()));
  }

  async answer(at: number, ending: Ending = 'answer'): Promise<void> {
    this.#sent = this.#w.calls.length;
    if (this.pending > 0) this.#faults.push(...(await this.#inFlight.end(at, ending)));
  }

  /** The faults after each step: store and model must be equal, no reader runs without a cause or keeps deleted data. */
  async faults(): Promise<string[]> {
    await settled();
    this.#automatic();
    const found = [
      ...this.#faults,
      ...this.#storeReaders.faults(this.#model, this.#several),
      ...this.#mountedViews.faults(this.#model),
      ...this.#doubted(),
    ];
    if (this.#commits > 1 && !this.#several)
      found.push(`several commits for one step: ${this.#commits}`);
    this.#faults = [];
    this.#several = this.#sure = false;
    this.#commits = 0;
    this.#storeReaders.note();
    return found;
  }

  /** The data that are left when all requests are answered: there must be none. */
  end(): string[] {
    this.#storeReaders.stop();
    return [
      ...(this.#inFlight.waiting > 0 ? [`promise never settled: ${this.#inFlight.waiting}`] : []),
      ...this.#rejected.map((reason) => `unhandled rejection: ${String(reason)}`),
    ];
  }
}

const nameOf = (of: number | string): string =>
  typeof of === 'number' ? `get ${of}` : `list ${of}`;
