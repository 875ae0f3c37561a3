/** The life of one persistence: what is read when, what is written when, and what becomes of failures. */
import type { Controller } from '../Controller.ts';
import { warn } from '../diagnostics.ts';
import { Endpoint } from '../endpoint/Endpoint.ts';
import { contextOf } from '../fetch/FetchContext.ts';
import type { FetchContext } from '../fetch/FetchContext.ts';
import { InFlightRequest } from '../fetch/InFlightRequest.ts';
import { collect } from './collect.ts';
import { Files } from './Files.ts';
import type { Beginning } from './Files.ts';
import { Generation } from './Generation.ts';
import type { Filed } from './Filed.ts';
import { Filing } from './Filing.ts';
import type { Named } from './Named.ts';
import type { Leaving } from './pageLeaving.ts';
import { Planting } from './Planting.ts';
import type { Refuse } from './Planting.ts';
import { filedIn, rowOf } from './rows.ts';
import { Touched } from './Touched.ts';

// ms: what comes together is written together
const SOON = 20;
// what is written between two looks for what is of no use
const MANY = 1_000;

/** What is kept, where, and for how long. */
export interface Keep {
  readonly named: Named;
  /** Of the database. */
  readonly name: string;
  readonly version: string | number;
  /** ms */
  readonly maxAge: number;
  readonly leaving: Leaving;
}

export class Keeping {
  readonly ready: Promise<void>;
  readonly #desk: FetchContext;
  readonly #disk: Files;
  /** Of the disk. */
  readonly #name: string;
  readonly #named: Named;
  readonly #filing: Filing;
  readonly #touched: Touched;
  readonly #version: string | number;
  readonly #maxAge: number;
  readonly #stopLeaving: () => void;
  /** Writes one after the other: one that fails must not be overtaken. */
  #line: Promise<void>;
  #timer: unknown;
  #loaded = false;
  /** What is on its way to the disk, or was refused. */
  #unwritten: ReadonlyMap<string, unknown> = new Map();
  /** How often everything was taken away by this page. */
  #resets = 0;
  readonly #generation: Generation;
  /** How much may be written until it is looked through. */
  #room = MANY;

  constructor(controller: Controller, { named, name, version, maxAge, leaving }: Keep) {
    this.#desk = contextOf(controller);
    const { store } = this.#desk;
    const { clock } = this.#desk;
    this.#generation = new Generation(this.#desk, version);
    this.#name = name;
    this.#disk = new Files(name, clock);
    this.#named = named;
    this.#filing = new Filing(store, named);
    this.#version = version;
    this.#maxAge = maxAge;
    this.#touched = new Touched(controller, store, {
      changed: () => (this.#timer ??= clock.after(SOON, () => void this.flush())),
      emptied: (time) => void this.#empty(this.#generation.reset(time)),
    });
    this.#stopLeaving = leaving(() => void this.#leave());
    this.ready = this.#load();
    this.#line = this.ready;
  }

  flush(): Promise<void> {
    this.#desk.clock.clear(this.#timer);
    this.#timer = undefined;
    return (this.#line = this.#line.then(() => this.#write()));
  }

  clear(): Promise<void> {
    return this.#empty((disk) => disk.empty());
  }

  stop(): void {
    void this.flush();
    this.#touched.stop();
    this.#stopLeaving();
  }

  async #load(): Promise<void> {
    const resets = this.#resets;
    const { inflight } = this.#desk;
    const reading = beginReading();
    inflight.flights.add(reading);
    try {
      const found = await this.#disk.begin(this.#generation.fresh());
      if (!this.#generation.join(found.head)) this.#end();
      else if (resets === this.#resets) await this.#plant(found);
    } catch (reason) {
      warn('P3', this.#name, { doing: 'read', reason });
    } finally {
      inflight.end(reading);
      this.#loaded = true;
    }
  }

  async #plant({ rows, dropped: older }: Beginning): Promise<void> {
    if (older !== undefined && older.rows.size > 0)
      warn('P1', this.#name, { found: older.head?.version, expected: this.#version });
    const dropped = new Map<string, undefined>();
    const refuse = (key: string, reason: unknown) => {
      warn('P2', this.#name + key, { record: key, reason });
      dropped.set(key, undefined);
    };
    const entries = this.#entriesIn(rows, refuse);
    const broken = [...dropped.keys()];
    for (const key of this.#collected(entries)) dropped.set(key, undefined);
    const { store } = this.#desk;
    const named = this.#named;
    const planting = new Planting({ store, named, broken, refuse }, entries);
    this.#filing.remembered.follow(entries.values());
    this.#touched.unheard(() => {
      const same = planting.plant();
      for (const [key, filed] of entries) if (!dropped.has(key)) this.#filing.adopt(key, filed);
      for (const [record, filed] of same) this.#filing.remembered.know(record, filed);
    });
    this.#room = MANY + this.#filing.size;
    if (dropped.size > 0) await this.#attempt(dropped);
  }

  /** The disk is of other data than this page. */
  #end(): void {
    warn('P6', this.#name, { name: this.#name });
    // where it is of the same data again, all of them are looked at
    this.#filing.clear();
    this.#unwritten = new Map();
  }

  /** What is whole. */
  #entriesIn(found: ReadonlyMap<string, unknown>, refuse: Refuse): Map<string, Filed> {
    const entries = new Map<string, Filed>();
    for (const [key, row] of found) {
      const filed = filedIn(row, key);
      if (filed === undefined) refuse(key, 'it is no record of this form');
      else entries.set(key, filed);
    }
    return entries;
  }

  /** The keys of what is of no use any more, which is taken out. */
  #collected(entries: Map<string, Filed>): Iterable<string> {
    const keys = collect(entries, { now: this.#desk.clock.now(), maxAge: this.#maxAge });
    for (const key of keys) entries.delete(key);
    return keys;
  }

  /** At once: what comes after this page may not hear of what is asked of the disk. */
  async #leave(): Promise<void> {
    if (this.#loaded) await this.#write();
  }

  async #write(): Promise<void> {
    if (this.#generation.head === undefined) return this.#touched.clear();
    const packed = this.#filing.pack(this.#touched, this.#desk.clock.now());
    this.#touched.clear();
    // what is on its way may fail
    const changes = new Map(this.#unwritten);
    for (const [key, filed] of packed) changes.set(key, filed && rowOf(filed));
    if (changes.size === 0) return;
    await this.#attempt(changes);
    this.#room -= changes.size;
    if (this.#room < 0) await this.#collect();
  }

  async #attempt(changes: Map<string, unknown>): Promise<void> {
    const resets = this.#resets;
    const { head } = this.#generation;
    if (head === undefined) return;
    this.#unwritten = changes;
    try {
      const lost = await this.#disk.write(changes, head);
      if (this.#unwritten === changes) this.#unwritten = new Map();
      if (resets !== this.#resets) return;
      if (lost === undefined) return this.#end();
      for (const key of lost) {
        warn('P2', this.#name + key, { record: key, reason: 'it holds what no disk can' });
        this.#filing.drop(key);
      }
    } catch (reason) {
      warn('P3', this.#name, { doing: 'write', reason });
    }
  }

  /** What the disk itself says is of no use: other pages write to it, too. */
  async #collect(): Promise<void> {
    let keys: Iterable<string> = [];
    try {
      const { rows } = await this.#disk.read();
      keys = this.#collected(this.#entriesIn(rows, () => {}));
    } catch (reason) {
      warn('P3', this.#name, { doing: 'read', reason });
    }
    const going = new Map(Array.from(keys, (key) => [key, undefined]));
    for (const key of going.keys()) this.#filing.drop(key);
    if (going.size > 0) await this.#attempt(new Map([...this.#unwritten, ...going]));
    this.#room = MANY + this.#filing.size;
  }

  async #empty(work: (disk: Files) => Promise<void>): Promise<void> {
    this.#resets++;
    this.#filing.clear();
    this.#unwritten = new Map();
    try {
      await work(this.#disk);
    } catch (reason) {
      warn('P3', this.#name, { doing: 'clear', reason });
    }
  }
}

/** Stands for the reading of the disk, as if it were the first request: what is confirmed meanwhile is newer. */
function beginReading(): InFlightRequest {
  const endpoint = new Endpoint(() => Promise.resolve(), { name: 'persist', sideEffect: true });
  // no response comes, and a reset does not end it
  return Object.assign(new InFlightRequest(endpoint, [], 0, {}), { decided: true });
}
