/** From the records of a disk back to a store, all of them older than whatever the page does. */
import type { EntityKind } from '../schema/EntityKind.ts';
import { normalize } from '../schema/normalize.ts';
import { carry } from '../schema/schema.ts';
import type { Kind, Node, StoredKind } from '../schema/schema.ts';
import { tablesIn } from '../schema/tablesIn.ts';
import { Draft } from '../store/Draft.ts';
import type { EntityRecord } from '../store/EntityRecord.ts';
import { confirmedBelow } from '../store/eachRecord.ts';
import { ListRecord } from '../store/ListRecord.ts';
import { ListTable } from '../store/ListTable.ts';
import type { MapRecord } from '../store/MapRecord.ts';
import type { Stamp } from '../store/order.ts';
import type { Record } from '../store/Record.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import { writeDraft } from '../store/writeDraft.ts';
import { keyFor, keyOfFiled } from './Filed.ts';
import type { At, Filed, FiledEntity, FiledList, FiledResult } from './Filed.ts';
import type { Named } from './Named.ts';
import { shaken } from './shaken.ts';
import { Sowing } from './Sowing.ts';

/** What is known of the page itself has logical times from here on; what lies on a disk, below. */
export const PAGE = 1;
/** More than all that is ever ordered on a disk: divided by this, its order is logical time. */
export const LATEST: number = 2 ** 47;

/** What is to be written of one entity. */
interface Laid {
  readonly key: string;
  readonly filed: FiledEntity;
  readonly record: EntityRecord;
  readonly draft: Draft;
  /** The page knows it already. */
  readonly known: boolean;
}

interface Answer {
  readonly filed: FiledResult;
  readonly result: ResultRecord;
  readonly draft: Draft | undefined;
  readonly node: Node;
}

interface Filled {
  readonly filed: FiledList;
  readonly list: ListRecord | MapRecord;
  readonly members: readonly Record[];
}

/** Is told what cannot be used, and why. */
export type Refuse = (key: string, reason: unknown) => void;

interface PlantingOptions {
  readonly store: Store;
  readonly named: Named;
  readonly broken: Iterable<string>;
  readonly refuse: Refuse;
}

export class Planting {
  readonly #store: Store;
  readonly #named: Named;
  readonly #refuse: Refuse;
  readonly #entities: Map<EntityRecord, Laid> = new Map();
  readonly #answers: Answer[] = [];
  readonly #lists: Filled[] = [];
  /** What cannot be used. */
  readonly #broken: Set<string>;
  /** All that shows some of it: it is shown without, and to be asked again. */
  readonly #shaken: ReadonlySet<string>;

  /**
   * Lays everything out; what does not fit is refused, and the rest goes on without it. `broken`: the keys of what was
   * refused before.
   */
  constructor(
    { store, named, broken, refuse }: PlantingOptions,
    entries: ReadonlyMap<string, Filed>,
  ) {
    this.#store = store;
    this.#named = named;
    this.#refuse = refuse;
    this.#broken = new Set(broken);
    const all = [...entries.values()];
    const entities = all.filter((filed) => filed.kind === 'entity');
    for (const filed of entities.sort((one, other) => one.turn - other.turn))
      this.#attempt(filed, (key) => this.#entity(key, filed));
    for (const filed of all)
      if (filed.kind === 'list') this.#attempt(filed, (key) => this.#list(key, filed, entries));
    for (const filed of all)
      if (filed.kind === 'result') this.#attempt(filed, () => this.#answer(filed));
    this.#shaken = shaken(all, this.#broken);
  }

  #attempt(filed: Filed, work: (key: string) => void): void {
    const key = keyOfFiled(filed);
    try {
      work(key);
    } catch (reason) {
      this.#broken.add(key);
      this.#refuse(key, reason instanceof Error ? reason.message : reason);
    }
  }

  /** Writes it in one commit. Gives the entities that are now as they lie on the disk. */
  plant(): Map<EntityRecord, FiledEntity> {
    const store = this.#store;
    store.commit(() => {
      for (const { draft, filed, record } of this.#entities.values())
        writeDraft(store, draft, this.#stampOf(filed), record);
      for (const filled of this.#lists) this.#fill(filled);
      for (const answer of this.#answers) this.#settle(answer);
      for (const answer of this.#answers) this.#lift(answer);
      // behind the lists, which are as they were: a response before its creation does not make an entity complete
      for (const { filed, record, known } of this.#entities.values())
        if (!known) record.known = { ...record.known, floor: filed.born / LATEST };
    });
    const same = new Map<EntityRecord, FiledEntity>();
    for (const { record, filed, known } of this.#entities.values())
      if (!known) same.set(record, filed);
    return same;
  }

  #entity(key: string, filed: FiledEntity): void {
    const { name, pk, fields, at, refs } = filed;
    const kind = this.#kind(name, 'entity') as EntityKind;
    const isNamed = filed.named || kind.plan.pkField !== undefined;
    if (isNamed && kind.pkIn(fields, []) !== pk)
      throw new TypeError('its class gives it another primary key now');
    const draft = new Draft(this.#store, stampOf(at));
    try {
      const planted = new Map<unknown, string>([[fields, pk]]);
      const sink = new Sowing(draft, this.#named, refs);
      const origin = { args: [], endpoint: undefined, planted, keyed: true };
      const record = normalize(kind, fields, sink, origin) as EntityRecord;
      const known = record.confirmed;
      // what a merge() of the user's made of newer data is not to be made again
      if (known && kind.plan.merges) return draft.discard();
      draft.finish();
      this.#entities.set(record, { key, filed, record, draft, known });
    } catch (error) {
      draft.discard();
      throw error;
    }
  }

  #kind(name: string, stores: StoredKind['stores']): StoredKind {
    const kind = this.#named.kind(name);
    if (kind?.stores !== stores || !this.#named.fits(kind))
      throw new TypeError(`nothing that is kept has the name ${name}`);
    return kind;
  }

  /** No list of ours has a member that is not there: one without it is to be asked again. */
  #list(key: string, filed: FiledList, entries: ReadonlyMap<string, Filed>): void {
    const kind = this.#kind(filed.name, 'list');
    const there = filed.members.filter(([name, pk]) => {
      const member = keyFor('entity', name, pk);
      return entries.has(member) && !this.#broken.has(member);
    });
    if (there.length < filed.members.length) this.#broken.add(key);
    const members = there.map(
      ([name, pk]) => this.#store.ref(this.#kind(name, 'entity'), pk) as EntityRecord,
    );
    const list = this.#store.ref(kind, filed.pk) as ListRecord | MapRecord;
    this.#lists.push({ filed: { ...filed, members: there }, list, members });
  }

  #answer(filed: FiledResult): void {
    const { name, key, args, answer, at } = filed;
    const endpoint = this.#named.endpoint(name, args);
    if (endpoint === undefined) throw new TypeError(`nothing that is kept has the name ${name}`);
    if (endpoint.key(...args) !== key) throw new TypeError('its arguments have another key now');
    const { schema } = endpoint;
    const result = this.#store.result(key, schema, args);
    const laid = { filed, result, draft: undefined, node: undefined };
    if (answer === undefined) return void this.#answers.push(laid);
    if (schema === undefined)
      return void this.#answers.push({ ...laid, node: carry(answer.value) });
    const draft = new Draft(this.#store, stampOf(at));
    try {
      const sink = new Sowing(draft, this.#named, answer.refs);
      const origin = { args, endpoint: name, keyed: true };
      const node = normalize(schema, answer.value, sink, origin);
      draft.finish();
      this.#answers.push({ ...laid, draft, node });
    } catch (error) {
      draft.discard();
      throw error;
    }
  }

  #stampOf(filed: Filed, kind?: Kind): Stamp {
    const [order, fetchedAt] = filed.at;
    const sound = !this.#shaken.has(keyOfFiled(filed)) && !(kind && this.#isBehind(kind));
    return stampOf(sound ? filed.at : [order, fetchedAt, 0]);
  }

  /** The page has moved rows before it knew of the list: only the server knows whether they are in it. */
  #isBehind(kind: Kind): boolean {
    const { tables } = this.#store;
    return tablesIn(kind).some((identity) => {
      const table = tables.get(identity);
      return table instanceof ListTable && table.moved;
    });
  }

  #fill({ filed, list, members }: Filled): void {
    const store = this.#store;
    const base = store.layers.touch(list);
    const stamp = this.#stampOf(filed, list.kind);
    if (!(base instanceof ListRecord)) {
      const keys = filed.members.map(([, pk, key]) => key ?? pk);
      base.fill(Object.fromEntries(keys.map((key, at) => [key, members[at]])), stamp);
    } else {
      base.fill(members, stamp);
      base.paged ||= filed.paged;
    }
  }

  #settle({ filed, result, draft, node }: Answer): void {
    const stamp = this.#stampOf(filed, result.kind);
    if (draft !== undefined) writeDraft(this.#store, draft, stamp, node);
    if (filed.answer !== undefined) result.answer(node, stamp);
    // what the page knows of it is newer
    if (result.stamp.time < PAGE) {
      result.expire(Math.max(filed.expired / LATEST, result.expiredAt));
      if (filed.invalid > 0 && result.invalidatedAt === undefined)
        result.invalidate(filed.invalid / LATEST);
    }
    this.#store.layers.wake(result);
  }

  /** What came again with an answer as it was is as fresh as that. */
  #lift({ filed, result }: Answer): void {
    const { stamp } = result;
    if (filed.answer === undefined || stamp.time !== filed.at[0] / LATEST) return;
    const apart = new Set(filed.answer.apart);
    for (const record of confirmedBelow(result.node)) {
      const laid = this.#entities.get(record as EntityRecord);
      if (laid === undefined || apart.has(laid.key)) continue;
      const { stamp: known } = laid.record.known;
      const older = known.time < PAGE && laid.filed.at[1] < stamp.fetchedAt;
      if (older && known.expiresAt <= stamp.expiresAt) laid.record.stamp = stamp;
    }
  }
}

function stampOf([order, fetchedAt, expiresAt]: At): Stamp {
  return { time: order / LATEST, fetchedAt, expiresAt };
}
