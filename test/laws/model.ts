/**
 * The model: confirmed data, and above them the layers of the mutations in flight, in the order of issue. Where the
 * rules leave a corner open, the model decides:
 *
 * | corner                                                     | what is shown                                            |
 * | ---------------------------------------------------------- | -------------------------------------------------------- |
 * | several creations in flight, the later confirmed first     | no row jumps: rows behind an expected row stand in the order of issue, others as confirmed |
 * | a list read while creations are in flight                  | the rows as the server has them; rows that the response could not contain stand behind, in the order of the list |
 * | a push or a read brings a new row while a creation without an id is in flight (O16) | hidden until the creation has ended, for 5 s at most; from the first response of a list, only rows with the values that were sent |
 * | an update expected of a row not stored, or deleted by an earlier layer (O14) | nothing; once the row is there, the update too |
 * | a creation expected of a row not stored                    | the row, with defaults; in no list that the creation did not enter |
 * | an expected deletion, then an expected creation of that id | the new row alone, at the end                            |
 * | an earlier layer, and the row deleted and recreated since  | only the fields that no own write of the row claimed     |
 * | a layer reads a row that is not there, and gives up        | nothing; once the row is there, the layer too            |
 * | an empty response (R8)                                     | the expected value of the confirmed row (without a confirmed row: of the shown row), as if answered: nothing shown changes |
 * | a detail answered, the row deleted and pushed in part      | nothing: the detail is refetched (C6)                    |
 * | an empty response to a mutation without an expected value  | of a known row, the fields that were sent (N23); the response counts as an own write |
 * | a response with the id alone, or with some fields          | these fields, and the fields that were sent, or if none, that are expected to change; the row is refetched (N23) |
 * | a creation confirmed after a later-issued own deletion     | neither the row nor a place, also when a push restores the row |
 * | a list asked before a row was deleted and made anew        | the new row, at the end (N15)                            |
 */
import { Confirmed, entered, left } from './confirmed.ts';
import type { Fields, Listing, Rules } from './confirmed.ts';
import { effectOf, same } from './following.ts';
import type { ListRule } from './following.ts';

export type Look = (id: number) => Fields | undefined;

export interface Mutation {
  readonly effect: 'change' | 'creation' | 'deletion';
  readonly issued: number;
  /** The fields that the body names. */
  readonly names: readonly string[];
  /** Their values. */
  readonly sent: Fields;
  /** O5: the expected fields, computed from the data below; undefined: nothing is expected now. */
  readonly expect?: ((look: Look) => Fields | undefined) | undefined;
  /** Of a creation: the address. */
  readonly at?: string | undefined;
}

interface Request {
  answered: number;
  /** While the row is hidden: since when. */
  hidden: number | undefined;
  invalidated: number;
  /** When the read in flight was issued. */
  asked: number;
  /** When the last read was issued, with any outcome. */
  lastAsked: number;
  /** N18: since when the members of the list are uncertain. */
  doubted: number;
  /** As `doubted`, also for changes that a later own write has overtaken. */
  wavering: number;
}

/** The shown data of a moment. */
export class ShownData {
  readonly rows: Map<number, Fields>;
  readonly lists: Map<string, Listing | undefined>;
  /** For each list, when the first expected row that enters was requested. */
  readonly arrivals = new Map<string, number>();
  /** For each expected row that enters a list: the list, and when the row was requested. */
  readonly #entries = new Set<string>();
  readonly #defaults: Fields;

  constructor(confirmed: Confirmed, defaults: Fields) {
    this.rows = confirmed.rows();
    this.lists = confirmed.lists();
    this.#defaults = defaults;
  }

  row(id: number): Fields | undefined {
    const row = this.rows.get(id);
    return row === undefined ? undefined : { ...this.#defaults, ...row };
  }

  noteArrival(key: string, issued: number): void {
    this.arrivals.set(key, Math.min(issued, this.arrivals.get(key) ?? Infinity));
    this.#entries.add(`${key} ${issued}`);
  }

  /** True if a row that was requested at this time is expected in the list. */
  expects(key: string, issued: number): boolean {
    return this.#entries.has(`${key} ${issued}`);
  }

  list(key: string): readonly Fields[] | undefined {
    const listing = this.lists.get(key);
    if (listing === undefined) return undefined;
    return listing.ids.map((id) => this.row(id)).filter((row) => row !== undefined);
  }
}

/** A row that creations on their way hide, until a wall time. */
interface Echo {
  readonly by: readonly Mutation[];
  readonly until: number;
}

const MAX_HIDDEN_MS = 5_000;

/** Since a mutation was sent: the last pushes by id, and the ids of the rows that were known before. */
interface Pushes {
  readonly rows: Map<number, Fields>;
  readonly known: Set<number>;
}

/** The data that a reader keeps of a row. */
export interface Kept {
  /** A change that was shown has failed since. */
  readonly failed: () => boolean;
  readonly row: () => Fields | undefined;
}

export class Model {
  readonly #failed = new Set<Mutation>();
  #time = 0;
  #confirmed: Confirmed;
  #layers: readonly Mutation[] = [];
  /** O15: the last pushes of rows since a mutation in flight was sent. */
  #pushes = new Map<Mutation, Pushes>();
  /** When mutations were sent that had waited for the key of the row. */
  readonly #sentAt = new WeakMap<Mutation, number>();
  /** O16: rows that may have been created by creations in flight. */
  #echoes = new Map<number, Echo>();
  /** The wall time, ms. */
  #now = 0;
  #requests = new Map<string, Request>();
  /** C6: when creations were issued that a detail showed before the confirmation. */
  #keptAsOf = new Map<number, number>();
  /** When the last own write was confirmed. */
  #written = 0;
  resets = 0;
  /** O15: a read has returned another value than the last mutation that was confirmed. */
  isDoubted = false;
  /** Of the last confirmed deletion: when the row was last written before. */
  #lastWrite = 0;
  /** Of the last mutation that was confirmed: the fields that count as sent. */
  #ownNames: readonly string[] = [];
  /** When the last mutation without a schema was confirmed. */
  opaqueAt = 0;
  readonly #defaults: Fields;
  readonly #rules: Rules;

  constructor(defaults: Fields, rules: Rules) {
    this.#defaults = defaults;
    this.#rules = rules;
    this.#confirmed = new Confirmed(rules);
  }

  tick(): number {
    return ++this.#time;
  }

  #request(key: string): Request {
    let request = this.#requests.get(key);
    if (request === undefined) {
      request = {
        answered: 0,
        hidden: undefined,
        invalidated: 0,
        asked: 0,
        lastAsked: 0,
        doubted: 0,
        wavering: 0,
      };
      this.#requests.set(key, request);
    }
    return request;
  }

  /** O17: a mutation without a schema is confirmed: any data may have changed. */
  opaque(): void {
    this.opaqueAt = this.tick();
  }

  /**
   * F1, O7: reads of a key share a request, unless the later read must see a change since. `explicit`: of a call
   * of fetch (O17).
   */
  joins(key: string, explicit = false): boolean {
    const { asked, invalidated, wavering } = this.#request(key);
    return asked > Math.max(invalidated, this.#written, wavering, explicit ? this.opaqueAt : 0);
  }

  /** A read is sent; returns the time of the read (O2). */
  ask(key: string): number {
    const request = this.#request(key);
    return (request.asked = request.lastAsked = this.tick());
  }

  /** A read ended without an answer: failed or aborted. */
  missed(key: string, time: number): void {
    const request = this.#request(key);
    if (request.asked === time) request.asked = 0;
  }

  /** O7: only a response to a request issued later makes an invalidated key readable. Returns whether the response counts. */
  answer(key: string, time: number, rows: readonly Fields[]): boolean {
    this.missed(key, time);
    this.tick();
    const slot = this.#slotOf();
    const request = this.#request(key);
    for (const row of rows) {
      if (key === `get ${String(row['id'])}`) this.#echoes.delete(row['id'] as number);
      else this.#meet(row, request.answered > 0);
      this.#confirmed.write(row, time, { ...this.#how(), slot, except: listIn(key) });
    }
    this.#noteDoubts();
    if (time < request.answered) return false;
    request.answered = time;
    if (time > (request.hidden ?? Infinity)) request.hidden = undefined;
    return true;
  }

  fill(list: string, rows: readonly Fields[], time: number): void {
    const ids = rows.map((row) => row['id'] as number);
    this.#confirmed.fill(list.replace('list ', ''), ids, time);
  }

  /** O7: true of a response that an own write overtook: the response may be shown, and must be requested again. */
  late(time: number, rows: readonly Fields[]): boolean {
    const newest = rows.every((row) => this.#confirmed.newest(row['id'] as number) <= time);
    return time <= this.#written && newest;
  }

  /** O2: pushed data have the time of their arrival. */
  push(row: Fields): void {
    const id = row['id'] as number;
    const isThere = this.below().rows.has(id);
    for (const [{ effect, sent }, { rows, known }] of this.#pushes) {
      if (!isThere) known.delete(id);
      // a creation without a key writes a row that was not known before
      if (effect === 'creation' && !('id' in sent) && known.has(id)) continue;
      rows.set(id, { ...rows.get(id), ...row });
    }
    this.#meet(row, true);
    const time = this.tick();
    const how = { ...this.#how(), slot: this.#slotOf(), isPush: true };
    this.#confirmed.write(row, time, how);
    this.#noteDoubts();
  }

  /** O16: a row that was never known may be the result of a creation in flight. */
  #meet(row: Fields, isAddition: boolean): void {
    const id = row['id'] as number;
    if (this.knows(id) || this.picture().rows.has(id)) return;
    const by = this.#layers.filter(({ effect, expect, sent }) => {
      const isUnnamed = effect === 'creation' && Number(expect?.(() => undefined)?.['id']) < 0;
      return (
        isUnnamed && (isAddition || Object.keys(sent).every((name) => same(sent[name], row[name])))
      );
    });
    if (by.length > 0) this.#echoes.set(id, { by, until: this.#now + MAX_HIDDEN_MS });
  }

  /** The wall time is another. */
  elapse(now: number): void {
    this.#now = now;
    for (const [id, { until }] of this.#echoes) if (until <= now) this.#echoes.delete(id);
  }

  #hiddenBy(layer: Mutation): number[] {
    return [...this.#echoes].flatMap(([id, { by }]) => (by.includes(layer) ? [id] : []));
  }

  /** A mutation leaves for the server, at once or when the row has a key. */
  sent(mutation: Mutation, hasWaited: boolean): void {
    if (hasWaited) this.#sentAt.set(mutation, this.tick());
    this.#pushes.set(mutation, { rows: new Map(), known: new Set(this.below().rows.keys()) });
  }

  /** O15: true of a confirmed mutation if the order of the mutation and the last push of a field is unknown. */
  contested(mutation: Mutation, id: number, answer: Fields | undefined): boolean {
    const pushed = this.#pushes.get(mutation)?.rows.get(id);
    this.#pushes.delete(mutation);
    const row = this.below().rows.get(id);
    const { effect, issued } = mutation;
    // a mutation that was issued later may have restored the row
    if (effect === 'deletion') return this.#lastWrite > issued;
    const names = this.#ownNames;
    // if nothing was sent, only the response shows the changes of the mutation
    const [written, value] =
      names.length === 0 && effect === 'change'
        ? [Object.keys(answer ?? {}), answer]
        : [names, row];
    return written.some(
      (name) => row && pushed && name in pushed && !same(pushed[name], value?.[name]),
    );
  }

  /** O5: a mutation with an expected value shows the value at once. */
  issue(mutation: Mutation): void {
    if (mutation.expect !== undefined) this.#layers = [...this.#layers, mutation];
  }

  /** O5: a mutation that failed, or was aborted, has not happened. */
  fail(mutation: Mutation): void {
    this.#failed.add(mutation);
    this.#pushes.delete(mutation);
    this.drop(mutation);
  }

  drop(mutation: Mutation): void {
    this.#layers = this.#layers.filter((other) => other !== mutation);
  }

  /** The fields of the body; if there are none, those that the expected value changes. */
  #sentNamesOf({ names, effect, expect }: Mutation, id: number, base: ShownData, shown: ShownData) {
    if (names.length > 0 || effect !== 'change' || !base.rows.has(id)) return names;
    const row = shown.row(id);
    const expected = Object.entries(expect?.((of) => shown.row(of)) ?? {});
    return expected.filter(([name, value]) => !same(value, row?.[name])).map(([name]) => name);
  }

  /** The response of a mutation; if empty, the expected value over the confirmed data (R8). */
  confirm(mutation: Mutation, id: number, answer: Fields | undefined): void {
    const before = this.picture();
    this.drop(mutation);
    const { effect, issued, sent, expect, at = '' } = mutation;
    const confirmed = (this.#written = this.tick());
    this.isDoubted = false;
    const stands = !this.#confirmed.outdone(id, issued);
    if (effect === 'deletion') {
      this.#lastWrite = this.#confirmed.newest(id);
      const doubtful = this.#confirmed.doubtfulWithout(id);
      this.#confirmed.remove(id, issued, confirmed);
      return this.#doubt(doubtful, stands);
    }
    const [base, shown] = [this.below(), this.picture(issued)];
    const names = (this.#ownNames = this.#sentNamesOf(mutation, id, base, shown));
    // N23: fields that the response leaves out are confirmed as sent, or, if none were sent, as expected
    const hasNoSentField = mutation.names.length === 0 && effect === 'change' && base.rows.has(id);
    const expected = hasNoSentField ? (expect?.((of) => base.row(of)) ?? {}) : {};
    const stored = base.row(id);
    const unsent = Object.fromEntries(
      Object.entries(expected).filter(
        ([name, value]) =>
          names.includes(name) || (!shown.rows.has(id) && !same(value, stored?.[name])),
      ),
    );
    const said = answer && { ...unsent, ...sent, ...answer };
    const derived = expect?.((of) => base.row(of)) ?? expect?.((of) => shown.row(of));
    const knows = effect === 'change' && base.rows.has(id);
    const received = [...names, ...Object.keys(base.rows.get(id) ?? {})];
    const found = said ?? (knows && derived ? this.#withoutDefaults(derived, received) : derived);
    const fields = found ?? (knows ? { id, ...sent } : undefined);
    const own = { names, issued, confirmed, at, sentAt: this.#sentAt.get(mutation) };
    if (fields === undefined) return;
    this.#echoes.delete(fields['id'] as number);
    this.isDoubted = answer !== undefined && this.#confirmed.isDoubted(answer, own);
    const known = [base, shown].some(({ rows }) => rows.has(fields['id'] as number));
    // nothing was shown: an empty answer has nothing to confirm
    if (answer === undefined && effect === 'change' && !known) return;
    const isExpected = (list: string) =>
      expect !== undefined &&
      (effect === 'creation' ? this.#rules[list]?.address === at : before.expects(list, issued));
    const how = { ...this.#how(), slot: this.#slotOf(isExpected) };
    if (effect === 'change') this.#confirmed.write(fields, issued, { ...how, own });
    else {
      this.#doubt(this.#confirmed.doubtful(fields, at, issued), stands);
      this.#confirmed.create(fields, own, how);
      if (!base.rows.has(id) && before.rows.has(id) && !this.hidden(`get ${id}`))
        this.#keptAsOf.set(id, issued);
    }
    this.#noteDoubts();
  }

  /** C6: of a change, a default of a field that is neither received nor changed says nothing: it may be a copy. */
  #withoutDefaults(fields: Fields, known: readonly string[]): Fields {
    const isSaid = ([name, value]: readonly [string, unknown]) =>
      known.includes(name) || !same(value, this.#defaults[name]);
    return Object.fromEntries(Object.entries(fields).filter(isSaid));
  }

  #how() {
    return { now: this.#time, expects: this.#expects };
  }

  /** Of a row that was in no list before: before expected rows, unless issued later. */
  #slotOf(isExpected: (list: string) => boolean = () => false) {
    const { arrivals } = this.picture();
    const now = this.#time;
    return (list: string, issued: number) => {
      if (isExpected(list)) return issued;
      const first = arrivals.get(list);
      if (first === undefined) return now;
      return first < issued ? issued : first - 1 / now;
    };
  }

  /** An expected creation of the row enters the list. */
  readonly #expects = (list: string, id: number): boolean =>
    this.#layers.some((layer) => {
      const fields = layer.effect === 'creation' && layer.expect?.(() => undefined);
      return fields && fields['id'] === id && this.#enters(list, fields, layer.at);
    });

  #noteDoubts(): void {
    const { doubts, contradicted, restated } = this.#confirmed;
    this.#doubt([...doubts, ...this.#readsAround([...restated])], true);
    this.#doubt([...contradicted], false);
    for (const found of [doubts, contradicted, restated]) found.clear();
  }

  /** The lists on their way at an address where lists are filtered by these fields. */
  #readsAround(names: readonly string[]): string[] {
    const rules = Object.entries(this.#rules);
    const concerned = rules.filter(([, rule]) => rule.names.some((name) => names.includes(name)));
    const addresses = concerned.map(([, { address }]) => address);
    return rules.flatMap(([key, { address }]) =>
      addresses.includes(address) && this.#request(`list ${key}`).asked > 0 ? [key] : [],
    );
  }

  #enters(list: string, row: Fields, at = ''): boolean {
    return this.#confirmed.placeOf(list, row, at).startsWith('certain');
  }

  /** `stands`: no later own write overtook the change; otherwise lists may be refetched, but need not be. */
  #doubt(lists: readonly string[], stands: boolean): void {
    const time = this.#time;
    for (const key of lists) {
      const request = this.#request(`list ${key}`);
      request.wavering = time;
      const counts = this.#confirmed.filled(key) || request.asked > 0;
      if (stands && counts) request.doubted = time;
    }
  }

  /** N18: a mounted list that became uncertain after the last request for the list. */
  doubted(key: string): 'unasked' | 'asked' | undefined {
    const { answered, doubted, lastAsked, hidden } = this.#request(key);
    const shown = this.#confirmed.filled(key.replace('list ', '')) && hidden === undefined;
    if (!shown || doubted < answered) return undefined;
    return doubted > lastAsked ? 'unasked' : 'asked';
  }

  /** N18: true of a list that became uncertain after the last request, also without shown data. */
  needs(key: string): boolean {
    const { wavering, lastAsked } = this.#request(key);
    return wavering > lastAsked;
  }

  invalidate(key: string): void {
    const request = this.#request(key);
    request.invalidated = this.tick();
    request.hidden = request.invalidated;
  }

  hidden(key: string): boolean {
    return this.#requests.get(key)?.hidden !== undefined;
  }

  /**
   * C6: a detail shows rows only after all fields were received; an optimistic row has no more fields, and stays when
   * confirmed.
   */
  complete(key: string, id: number): boolean {
    const answered = Math.max(this.#request(key).answered, this.#keptAsOf.get(id) ?? 0);
    return this.#confirmed.complete(id, Object.keys(this.#defaults), answered || undefined);
  }

  /** O8: a new generation. */
  reset(): void {
    this.tick();
    this.resets++;
    this.#confirmed = new Confirmed(this.#rules);
    this.#layers = [];
    this.#pushes = new Map();
    this.#echoes = new Map();
    this.#requests = new Map();
    this.#keptAsOf = new Map();
    this.#written = 0;
  }

  /** True if a deletion in flight hides the row, or would hide the row. */
  hides(id: number): boolean {
    const deletions = this.#layers.filter(({ effect }) => effect === 'deletion');
    const deleted =
      this.#layers.some((layer) => this.#hiddenBy(layer).includes(id)) ||
      deletions.some(({ expect }) => expect?.(() => undefined)?.['id'] === id);
    return deleted && !this.picture().rows.has(id);
  }

  knows(id: number): boolean {
    return this.#confirmed.knows(id);
  }

  /** Where the value of a field that is shown comes from. */
  origin(id: number, name: string): string {
    if (this.below().row(id)?.[name] !== this.picture().row(id)?.[name]) return 'optimistic value';
    return this.#confirmed.outdone(id, 0, name) ? 'own write' : 'newer value';
  }

  /** The rows without the layers. */
  below(): ShownData {
    return new ShownData(this.#confirmed, this.#defaults);
  }

  /** The shown rows, or the rows below a layer issued at `time`. */
  picture(until = Infinity): ShownData {
    const picture = this.below();
    for (const layer of this.#layers) if (layer.issued < until) this.#lay(layer, picture);
    return picture;
  }

  /** C10: the data that a reader keeps of a row that is deleted later, or is being deleted: without changes that fail later. */
  kept(id: number): Kept {
    const base = this.below().row(id);
    const layers = this.#layers;
    const deletes = (layer: Mutation) =>
      layer.effect === 'deletion' && layer.expect?.(() => base)?.['id'] === id;
    const stands = new Map(layers.map((layer) => [layer, this.#standing(id, layer)]));
    return {
      // a change that was issued after the deletion, which waited for the key of the row, counts for nothing
      failed: () => {
        const { issued: last = Infinity } = layers.find(deletes) ?? {};
        return layers.some((layer) => layer.issued < last && this.#failed.has(layer));
      },
      row: () => {
        let row = base;
        for (const layer of layers) {
          if (this.#failed.has(layer)) continue;
          if (deletes(layer)) break;
          const look = (of: number) => (of === id ? row : this.picture().row(of));
          const fields = layer.expect?.(look);
          if (fields?.['id'] !== id || (row === undefined && layer.effect !== 'creation')) continue;
          const own = Object.entries(fields).filter(([name]) => stands.get(layer)?.(name));
          row = { ...row, ...(Object.fromEntries(own) as Fields) };
        }
        return row;
      },
    };
  }

  /** Which fields of a layer no later own write outdoes, as of now. */
  #standing(id: number, { issued }: Mutation): (name: string) => boolean {
    const outdone = new Set(
      ['id', 'kind', 'a', 'b', 'n', 'tags'].filter((name) =>
        this.#confirmed.outdone(id, issued, name),
      ),
    );
    return (name) => !outdone.has(name);
  }

  /** The rows if no deletion were expected. */
  undeleted(): ShownData {
    const picture = this.below();
    for (const layer of this.#layers) if (layer.effect !== 'deletion') this.#lay(layer, picture);
    return picture;
  }

  /** O5: a layer lies above everything confirmed but own writes of the same field that were issued later. */
  #lay(layer: Mutation, picture: ShownData): void {
    const { effect, issued, expect, at } = layer;
    const { rows, lists } = picture;
    for (const id of this.#hiddenBy(layer)) {
      rows.delete(id);
      for (const [key, listing] of lists) lists.set(key, listing && left(listing, id));
    }
    const fields = expect?.((of) => picture.row(of));
    if (fields === undefined) return;
    const id = fields['id'] as number;
    const stands = !this.#confirmed.outdone(id, issued);
    if (effect === 'deletion' && stands) {
      rows.delete(id);
      for (const [key, listing] of lists) lists.set(key, listing && left(listing, id));
    }
    // O14: a change of a missing row shows nothing
    const makes = stands && effect === 'creation';
    if (effect === 'deletion' || (!makes && !rows.has(id))) return;
    const own = Object.entries(fields).filter(
      ([name]) => !this.#confirmed.outdone(id, issued, name),
    );
    const before = rows.get(id);
    const after = { ...before, ...(Object.fromEntries(own) as Fields) };
    rows.set(id, after);
    const createdAt = effect === 'creation' ? at : undefined;
    if (before) this.#moveIn(picture, { id, issued, before, after, createdAt });
    if (effect === 'change') return;
    for (const [key, listing] of lists) {
      if (!this.#enters(key, this.#confirmed.decided(fields, issued), at)) continue;
      picture.noteArrival(key, issued);
      if (listing !== undefined && stands)
        lists.set(key, entered(lists.get(key) ?? listing, id, issued));
    }
  }

  /** N21: an expected row follows the fields. */
  #moveIn(picture: ShownData, { id, issued, before, after, createdAt }: Moved): void {
    const known = this.#confirmed.knownIn(id, this.#expects);
    for (const [key, listing] of picture.lists) {
      const change = { before, after, isOwn: true, createdAt };
      const { op } = effectOf(this.#rules[key] as ListRule, change, known(key));
      if (op === 'enters') picture.noteArrival(key, issued);
      if (listing === undefined || op === undefined) continue;
      picture.lists.set(key, op === 'leaves' ? left(listing, id) : entered(listing, id, issued));
    }
  }
}

interface Moved {
  readonly id: number;
  readonly issued: number;
  readonly before: Fields;
  readonly after: Fields;
  readonly createdAt: string | undefined;
}

const listIn = (key: string): string | undefined =>
  key.startsWith('list ') ? key.replace('list ', '') : undefined;
