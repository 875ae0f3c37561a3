/** A tab that opens receives the records stored by the leader of the tabs: slice after slice, each as one commit. */
import { keepAlive } from '../clock.ts';
import { warn } from '../errors.ts';
import { registerOpeningRequest } from '../request/InFlightRequest.ts';
import { dehydrateStore, hydrateStore } from './hydrateStore.ts';
import { electLeader } from './electLeader.ts';
import { TabMessageCodec } from './TabMessageCodec.ts';
import type { Locks } from '../sync/Locks.ts';
import { PersistableNames } from '../sync/PersistableNames.ts';
import { Registry } from '../sync/Registry.ts';
import type { SharingTab } from './shareRequests.ts';
import type { StoreRow } from './hydrateStore.ts';
import type { HandoverMessage } from './TabMessage.ts';
import { DirtyTracker, UnpersistableRecords } from '../sync/DirtyTracker.ts';

// how long reads of a tab that has opened wait for the leader, ms
const MAX_WAIT = 1_000;

/*
 *   opens      "wants" ─────────► "more" ─────────► "more" ─────► reads still without a response are sent
 *   leader              slice 1 ─────────► slice 2 ─────────► slice 3, the last
 *
 * The tab requests each slice: timers of a leader in the background are late, messages are not.
 */
export class Handover {
  readonly #done: Promise<void>;
  #timer: unknown;
  readonly #tab: SharingTab;
  readonly #names: PersistableNames;
  readonly #codec: TabMessageCodec;
  readonly #unpersistable = new UnpersistableRecords();
  /** The remaining slices, by tab. */
  readonly #sessions: Map<number, Iterator<readonly StoreRow[]>> = new Map();
  readonly #stops: readonly (() => void)[];
  readonly #onHandedOver: (key: string) => void;
  #isLeader = false;
  #isDone = false;
  #end!: () => void;

  /** `onHandedOver`: called with the key of each response that was handed over. */
  constructor(tab: SharingTab, locks: Locks, onHandedOver: (key: string) => void) {
    const { context, controller } = tab;
    const { names, name } = tab.options;
    const { store, clock } = context;
    const registry = new Registry(names);
    this.#tab = tab;
    this.#onHandedOver = onHandedOver;
    this.#names = new PersistableNames(names, () => true, false);
    this.#codec = new TabMessageCodec(registry, store);
    const tracker = new DirtyTracker(controller, store, {
      changed: () => {
        for (const [record, time] of tracker.unkept) this.#unpersistable.add(record, time);
        tracker.clear();
      },
      emptied: () => this.#sessions.clear(),
    });
    const endOpening = registerOpeningRequest(context, 'handover');
    this.#done = new Promise((resolve) => {
      this.#timer = clock.after(MAX_WAIT, () => this.#end());
      this.#end = () => {
        if (this.#isDone) return;
        this.#isDone = true;
        clock.clear(this.#timer);
        endOpening();
        resolve();
      };
    });
    this.#stops = [
      () => tracker.stop(),
      electLeader(`of ${name}`, () => this.#lead(), { locks }),
      () => this.#end(),
    ];
    tab.post({ says: 'wants' });
  }

  /** Reads wait for this: the last slice came, or this tab leads, or there was no response in time. */
  get done(): Promise<void> {
    keepAlive(this.#timer);
    return this.#done;
  }

  #lead(): () => void {
    this.#isLeader = true;
    this.#end();
    // tabs that opened before there was a leader
    this.#tab.post({ says: 'leads' });
    return () => {
      this.#isLeader = false;
      this.#sessions.clear();
    };
  }

  onMessage(from: number, message: HandoverMessage): void {
    if (message.says === 'leads') {
      if (!this.#isDone) this.#tab.post({ says: 'wants' });
    } else if (message.says === 'slice') {
      if (message.to === this.#tab.id && !this.#isLeader) this.#receive(message);
    } else if (this.#isLeader) this.#sendSlice(from, message.says === 'wants');
  }

  #sendSlice(to: number, isFirst: boolean): void {
    const { store } = this.#tab.context;
    if (isFirst) {
      const context = {
        store,
        names: this.#names,
        codec: this.#codec,
        unpersistable: this.#unpersistable,
      };
      this.#sessions.set(to, dehydrateStore(context));
    }
    const slice = this.#sessions.get(to)?.next();
    if (slice === undefined) return;
    const isLast = slice.done === true;
    if (isLast) this.#sessions.delete(to);
    const rows = isLast ? [] : slice.value;
    try {
      this.#tab.post({ says: 'slice', to, at: store.time, rows, isLast });
    } catch (reason) {
      // without these rows the lists after them would be incomplete: the tab fetches from the server
      this.#sessions.delete(to);
      this.#tab.post({ says: 'slice', to, at: store.time, rows: [], isLast: true });
      warn('B2', 'handover', { schema: rows[0]?.kind ?? '', reason });
    }
  }

  #receive({ at, rows, isLast }: HandoverMessage & { readonly says: 'slice' }): void {
    const { context } = this.#tab;
    const { store, clock, events } = context;
    try {
      const before = store.time;
      const context = { store, names: this.#names, codec: this.#codec, time: at };
      const writes = hydrateStore(context, rows);
      events?.emit('commit', () => ({
        cause: 'answer',
        key: undefined,
        written: 0,
        ids: [],
        at: clock.now(),
        time: before,
        pending: [],
        writes,
        replayed: true,
      }));
      for (const { key } of writes) this.#onHandedOver(key as string);
    } finally {
      // invalid rows are left out
      if (isLast) this.#end();
      else this.#tab.post({ says: 'more' });
    }
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }
}
