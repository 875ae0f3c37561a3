/** Everything that is confirmed, in plain maps and by the words of the rules alone: rows, lists, and the time of each. */
import { effectOf, same } from './following.ts';
import type { Change, ListRule, Place } from './following.ts';

export type Fields = Readonly<Record<string, unknown>>;
/** The rules of each list. */
export type Rules = Readonly<Record<string, ListRule>>;

/** Of a mutation: the fields that the body named, when the mutation was issued, and when the mutation was confirmed. */
export interface Own {
  readonly names: readonly string[];
  readonly issued: number;
  readonly confirmed: number;
  /** When a mutation was sent that had waited for the key of the row. */
  readonly sentAt?: number | undefined;
  /** Of a creation: the address. */
  readonly at: string;
}

/** The effect of a write on lists with arguments that name changed fields. */
interface Writing {
  readonly own?: Own | undefined;
  /** The list of the response: the response has decided the members. */
  readonly except?: string | undefined;
  /** When the response arrived. */
  readonly now: number;
  /** The position of a row that enters, for a write issued at this time. */
  readonly slot: (list: string, issued: number) => number;
  /** N21: an optimistic creation of the row enters the list. */
  readonly expects: (list: string, id: number) => boolean;
  /** Of a creation: the address. */
  readonly createdAt?: string | undefined;
  readonly isPush?: boolean;
}

interface Field {
  readonly value: unknown;
  readonly time: number;
  /** An own write has stored the value. */
  readonly isOwn: boolean;
}

interface Row {
  exists: boolean;
  /** N21: the row is known from reads, and no push has told of the row since. */
  isUnplaced?: boolean;
  /** The time of the last deletion: older data do not count. */
  deleted: number;
  readonly fields: Map<string, Field>;
  /** When that own write of a field was issued that stands. Existence is a field. */
  readonly owned: Map<string, number>;
}

/** The ids of a list in order, and the slots of created rows. */
export interface Listing {
  readonly ids: readonly number[];
  readonly slots: ReadonlyMap<number, number>;
}

interface List {
  listing: Listing | undefined;
  /** When the read that filled the list was issued. */
  time: number;
  /** Rows that entered, each with a slot, and rows that left, without a slot; and when each row was deleted last. */
  moves: Map<
    number,
    { readonly time: number; readonly slot: number | undefined; readonly gone: number }
  >;
}

const EMPTY: readonly string[] = [];
const EXISTENCE = 'existence';
const WHOLE = ['kind', 'a', 'b', 'n', 'tags'];

/** At the end, but before later rows. */
export function entered({ ids, slots }: Listing, id: number, slot: number): Listing {
  if (ids.includes(id)) return { ids, slots };
  const later = ids.findIndex((other) => (slots.get(other) ?? -Infinity) > slot);
  const at = later === -1 ? ids.length : later;
  return { ids: [...ids.slice(0, at), id, ...ids.slice(at)], slots: new Map(slots).set(id, slot) };
}

export function left({ ids, slots }: Listing, id: number): Listing {
  const others = [...slots].filter(([other]) => other !== id);
  return { ids: ids.filter((other) => other !== id), slots: new Map(others) };
}

export class Confirmed {
  readonly #rows = new Map<number, Row>();
  readonly #lists: ReadonlyMap<string, List>;
  readonly #rules: Rules;
  /** N18, N21: the lists that have become uncertain since the last look. */
  readonly doubts = new Set<string>();
  /** The lists that later reads have decided in another way, since the last look: a request is allowed, but not needed. */
  readonly contradicted = new Set<string>();
  /** The fields that mutations set to the stored value, since the last call. */
  readonly restated = new Set<string>();

  constructor(rules: Rules) {
    this.#rules = rules;
    this.#lists = new Map(
      Object.keys(rules).map((key) => [key, { listing: undefined, time: 0, moves: new Map() }]),
    );
  }

  #row(id: number): Row {
    let row = this.#rows.get(id);
    if (row === undefined) {
      row = { exists: false, deleted: 0, fields: new Map(), owned: new Map() };
      this.#rows.set(id, row);
    }
    return row;
  }

  /** O3: of two own writes of a field the later-issued write stands. */
  #claim(row: Row, name: string, issued: number): boolean {
    if (issued < (row.owned.get(name) ?? 0)) return false;
    row.owned.set(name, issued);
    return true;
  }

  /** O3, O5: whether an own write issued at that time gives way to a confirmed write that was issued later. */
  outdone(id: number, issued: number, name: string = EXISTENCE): boolean {
    return issued < (this.#rows.get(id)?.owned.get(name) ?? 0);
  }

  /**
   * O15: true if something later has brought another value of a field: a read or a push, of a field that the body did not
   * name; a mutation in flight at the same time, of a field that the body of either names. Also if the row was deleted by
   * a mutation that was issued before, but may have been sent later.
   */
  isDoubted(answer: Fields, { names, issued, sentAt = issued }: Own): boolean {
    const row = this.#rows.get(answer['id'] as number);
    if (row?.exists === false && (row.owned.get(EXISTENCE) ?? Infinity) < issued) return true;
    return Object.entries(answer).some(([name, value]) => {
      const field = row?.fields.get(name);
      const since = names.includes(name) ? issued : sentAt;
      if (field === undefined || field.time <= since || same(field.value, value)) return false;
      if (!field.isOwn) return !names.includes(name);
      const claimed = row?.owned.get(name);
      return claimed === undefined ? names.includes(name) : claimed <= issued;
    });
  }

  /** O4: a field gives way only to something later; so does existence. N21: membership follows. */
  write(fields: Fields, time: number, how: Writing): void {
    const id = fields['id'] as number;
    const row = this.#row(id);
    const { own, isPush } = how;
    if (!row.exists && time < row.deleted) return;
    const before = row.exists ? valuesOf(row) : undefined;
    const { isUnplaced } = row;
    row.exists = true;
    // N21: a mutation of an unknown row reports a change, as a push does
    const isFirstOwn = own !== undefined && before === undefined && how.createdAt === undefined;
    if (isPush || isFirstOwn) row.isUnplaced = false;
    else if (before === undefined && how.createdAt === undefined) row.isUnplaced = true;
    for (const [name, value] of Object.entries(fields)) {
      if (own?.names.includes(name) === true) {
        if (this.#claim(row, name, own.issued))
          row.fields.set(name, { value, time: own.confirmed, isOwn: true });
      } else if ((own?.sentAt ?? time) >= (row.fields.get(name)?.time ?? row.deleted)) {
        row.fields.set(name, { value, time: own?.sentAt ?? time, isOwn: own !== undefined });
      }
    }
    const after = valuesOf(row);
    const isSame = ['kind', 'tags'].every((name) => same(before?.[name], after[name]));
    const isFirst = before === undefined || (isSame && isUnplaced);
    const knowsAll = WHOLE.every((name) => name in after);
    if ((isPush || isFirstOwn) && isFirst)
      this.#doubtFittingLists(id, after, how, time, knowsAll ? undefined : fields);
    if (before === undefined) return;
    const change: Change = {
      before,
      after,
      isOwn: own !== undefined,
      stated: own?.names,
      createdAt: how.createdAt,
    };
    const isChanged = (name: string) => !same(before[name], after[name]);
    const isByOwn = ['kind', 'tags'].some((name) => own?.names.includes(name) && isChanged(name));
    for (const name of own?.names ?? []) if (!isChanged(name)) this.restated.add(name);
    // what a mutation that waited brings is as late as its sending
    const { confirmed = time, sentAt = time } = own ?? {};
    this.#follow(id, change, how, isByOwn ? confirmed : sentAt, time);
  }

  /**
   * N21: a pushed or changed row, of which no values were known before, may have come into the lists that were read earlier;
   * `part` of a row into those that filter by a field of the part. An own write is as late as its confirmation.
   */
  #doubtFittingLists(id: number, values: Fields, how: Writing, since: number, part?: Fields): void {
    const known = this.knownIn(id, how.expects);
    const { names: sent = EMPTY, confirmed = since } = how.own ?? {};
    const names = (name: string) => sent.includes(name) && (part === undefined || name in part);
    const written = ['kind', 'tags'].some(names) ? confirmed : since;
    for (const [key, { time }] of this.#lists) {
      const { fit, names: filters, isOpen, isSearch } = this.#rules[key] as ListRule;
      const isFiltered = part
        ? filters.some((name) => name in part)
        : filters.length > 0 || isOpen || isSearch;
      const isSearched = !isFiltered && isSearch && how.own !== undefined;
      if (!isFiltered && !isSearched) continue;
      if (
        time <= (isSearched ? confirmed : written) &&
        !known(key).isThere &&
        ['in', 'open'].includes(fit(values))
      )
        this.doubts.add(key);
    }
  }

  #follow(id: number, change: Change, how: Writing, time: number, issued: number): void {
    const known = this.knownIn(id, how.expects);
    for (const [key, list] of this.#lists) {
      const rule = this.#rules[key] as ListRule;
      const { op, expires, isSearch } = effectOf(rule, change, known(key));
      const since = isSearch === true ? (how.own?.confirmed ?? time) : time;
      // a list that was read later, or just now, has decided whether the row is a member; but the server may have read
      // a list that contradicts this decision, or of which only the server knows, earlier
      const isDoubtful = op ? (op === 'leaves') === known(key).isThere : expires;
      if (list.time > since && isDoubtful) this.contradicted.add(key);
      if (list.time > since || key === how.except) continue;
      if (expires) this.doubts.add(key);
      const { gone = 0 } = list.moves.get(id) ?? {};
      if (op === 'leaves') {
        list.moves.set(id, { time, slot: undefined, gone });
        list.listing &&= left(list.listing, id);
      } else if (op === 'enters' && list.listing?.ids.includes(id) !== true) {
        const isEmpty = list.listing === undefined;
        const slot = isEmpty ? -1 / how.now : how.slot(key, issued);
        list.moves.set(id, { time, slot, gone });
        list.listing &&= entered(list.listing, id, slot);
      }
    }
  }

  /** Whether a list has a row, and whether a list at the same address has the row, before any change. */
  knownIn(id: number, expects: Writing['expects']) {
    const holding = [...this.#lists].flatMap(([key, { listing }]) =>
      listing?.ids.includes(id) === true || expects(key, id) ? [key] : [],
    );
    const addresses = holding.map((key) => this.#rules[key]?.address);
    return (key: string) => ({
      isThere: holding.includes(key),
      isAtAddress: addresses.includes(this.#rules[key]?.address),
    });
  }

  /** N15: a creation enters each matching list once. */
  create(fields: Fields, own: Own, how: Pick<Writing, 'slot' | 'expects' | 'now'>): void {
    const id = fields['id'] as number;
    const row = this.#row(id);
    const stands = this.#claim(row, EXISTENCE, own.issued);
    // a new row: the whole response counts, and no older data
    if (stands && !row.exists) Object.assign(row, { deleted: own.issued, isUnplaced: false });
    // a creation that a later deletion and a push of the row have outdone names no list: the lists follow the fields
    this.write(fields, own.issued, { ...how, own, createdAt: stands ? own.at : undefined });
    if (!stands) return;
    // a later own write of a field decides, whichever response came first
    const decided = this.decided(fields, own.issued);
    for (const [key, list] of this.#lists) {
      if (!this.placeOf(key, decided, own.at).startsWith('certain')) continue;
      // in a list without readers the row is before the rows that are still expected
      const at = list.listing === undefined ? -1 / own.confirmed : how.slot(key, own.issued);
      const gone = list.moves.get(id)?.gone ?? 0;
      list.moves.set(id, { time: own.confirmed, slot: at, gone });
      if (list.listing !== undefined) list.listing = entered(list.listing, id, at);
    }
  }

  remove(id: number, issued: number, time: number): void {
    const row = this.#row(id);
    if (!this.#claim(row, EXISTENCE, issued)) return;
    row.exists = false;
    row.deleted = time;
    row.fields.clear();
    for (const list of this.#lists.values()) {
      list.moves.set(id, { time, slot: undefined, gone: time });
      if (list.listing !== undefined) list.listing = left(list.listing, id);
    }
  }

  /** O4: the response of a list counts, except for creations and deletions confirmed after the request was issued. */
  fill(key: string, ids: readonly number[], time: number): void {
    const list = this.#lists.get(key) as List;
    if (time < list.time) return;
    list.time = time;
    const believed = ids.filter((id) => !this.#isExcluded(key, id, time));
    let listing: Listing = { ids: believed, slots: new Map() };
    const kept = [...list.moves].filter(([, move]) => move.time > time);
    list.moves = new Map(kept.sort(([, a], [, b]) => (a.slot ?? 0) - (b.slot ?? 0)));
    for (const [id, { slot, gone }] of list.moves) {
      // N15: a recreated row does not return to the old place
      if (gone > time || slot === undefined) listing = left(listing, id);
      if (slot !== undefined && !listing.ids.includes(id))
        listing = { ids: [...listing.ids, id], slots: new Map(listing.slots).set(id, slot) };
    }
    list.listing = listing;
  }

  /** N21: a list shows no row with values later than the read of the list that do not fit. */
  #isExcluded(key: string, id: number, time: number): boolean {
    const row = this.#rows.get(id);
    if (row?.exists !== true) return false;
    const later = [...row.fields].filter(([, field]) => field.time > time);
    const values = Object.fromEntries(later.map(([name, { value }]) => [name, value]));
    return ['out', 'choice'].includes((this.#rules[key] as ListRule).fit(values));
  }

  /** The time of the latest that is known of a row. */
  newest(id: number): number {
    const row = this.#rows.get(id);
    return Math.max(
      row?.deleted ?? 0,
      ...[...(row?.fields.values() ?? [])].map(({ time }) => time),
    );
  }

  /** C6: each of these fields was received since the row exists; or a response to the detail arrived since then. */
  complete(id: number, names: readonly string[], answered: number | undefined): boolean {
    const row = this.#rows.get(id);
    if (row?.exists !== true) return true;
    const counts = answered !== undefined && answered >= row.deleted;
    return counts || names.every((name) => row.fields.has(name));
  }

  knows(id: number): boolean {
    return this.#rows.has(id);
  }

  placeOf(key: string, row: Fields, at: string): Place {
    return this.#rules[key]?.place(row, at) ?? 'apart';
  }

  /** N18: the lists that are uncertain after a creation at an address. */
  doubtful(row: Fields, at: string, issued: number): string[] {
    const decided = this.decided(row, issued);
    return this.#doubtful(row['id'] as number, (rule) =>
      rule.place(rule.address === at ? decided : row, at),
    );
  }

  /** The row, with the fields that a later own write has decided. */
  decided(fields: Fields, issued: number): Fields {
    const id = fields['id'] as number;
    const row = this.#rows.get(id);
    const known = row === undefined ? {} : valuesOf(row);
    const later = Object.entries(known).filter(([name]) => this.outdone(id, issued, name));
    return { ...fields, ...(Object.fromEntries(later) as Fields) };
  }

  /** The same after a deletion. */
  doubtfulWithout(id: number): string[] {
    const row = this.#rows.get(id);
    const values = row?.exists === true ? valuesOf(row) : {};
    return this.#doubtful(id, (rule) => rule.lost(values));
  }

  #doubtful(id: number, placeIn: (rule: ListRule) => Place): string[] {
    return [...this.#lists].flatMap(([key, { listing }]) => {
      const place = placeIn(this.#rules[key] as ListRule);
      const isThere = listing?.ids.includes(id) === true;
      const isDoubtful = place === 'doubtful' || place === 'certain and doubtful';
      return isDoubtful || (place === 'doubtful if there' && isThere) ? [key] : [];
    });
  }

  filled(key: string): boolean {
    return this.#lists.get(key)?.listing !== undefined;
  }

  /** Rows that exist, by id. */
  rows(): Map<number, Fields> {
    const present = [...this.#rows].filter(([, row]) => row.exists);
    return new Map(present.map(([id, row]) => [id, valuesOf(row)]));
  }

  lists(): Map<string, Listing | undefined> {
    return new Map([...this.#lists].map(([key, { listing }]) => [key, listing]));
  }
}

function valuesOf({ fields }: Row): Fields {
  return Object.fromEntries([...fields].map(([name, { value }]) => [name, value]));
}
