/** A tab that opens is handed what the leader of the tabs has stored: slice after slice, each as one commit. */
import { warn } from '../diagnostics.ts';
import { Endpoint } from '../endpoint/Endpoint.ts';
import { InFlightRequest } from '../fetch/InFlightRequest.ts';
import { dehydrateStore } from './dehydrateStore.ts';
import { electLeader } from './electLeader.ts';
import { Hearing } from './Hearing.ts';
import { hydrateStore } from './hydrateStore.ts';
import type { Locks } from './Locks.ts';
import { Named } from './Named.ts';
import { Registry } from './Registry.ts';
import type { SharingTab } from './Sharing.ts';
import { Speech } from './Speech.ts';
import type { StoreRow } from './StoreRow.ts';
import type { HandoverMessage } from './TabMessage.ts';
import { Touched } from './Touched.ts';
import { Unkept } from './Unkept.ts';

// reads of a tab that has opened wait no longer than this for the leader, ms
const WAIT = 1_000;

/*
 *   opens      "wants" ─────────► "more" ─────────► "more" ─────► reads that are not answered by now are sent
 *   leader              slice 1 ─────────► slice 2 ─────────► slice 3, the last
 *
 * The tab asks for each slice: timers of a leader that nobody sees are late, messages are not.
 */
export class Handover {
  /** Reads wait for this: the last slice came, or this tab leads, or nobody answers. */
  readonly done: Promise<void>;
  readonly #tab: SharingTab;
  readonly #named: Named;
  readonly #speech: Speech;
  readonly #hearing: Hearing;
  readonly #unkept = new Unkept();
  /** The slices that are left, by tab. */
  readonly #sessions: Map<number, Iterator<readonly StoreRow[]>> = new Map();
  readonly #stops: readonly (() => void)[];
  readonly #heard: (key: string) => void;
  #isLeader = false;
  #isDone = false;
  #end!: () => void;

  /** `heard`: a response to this key was handed over. */
  constructor(tab: SharingTab, locks: Locks, heard: (key: string) => void) {
    const { desk, controller } = tab;
    const { names, name } = tab.options;
    const { store, inflight, clock } = desk;
    const registry = new Registry(names);
    this.#tab = tab;
    this.#heard = heard;
    this.#named = new Named(names, () => true, false);
    this.#speech = new Speech(registry);
    this.#hearing = new Hearing(registry, store);
    const touched = new Touched(controller, store, {
      changed: () => {
        for (const [record, time] of touched.unkept) this.#unkept.add(record, time);
        touched.clear();
      },
      emptied: () => this.#sessions.clear(),
    });
    const opening = beginOpening();
    inflight.flights.add(opening);
    this.done = new Promise((resolve) => {
      const timer = clock.after(WAIT, () => this.#end());
      this.#end = () => {
        if (this.#isDone) return;
        this.#isDone = true;
        clock.clear(timer);
        inflight.end(opening);
        resolve();
      };
    });
    this.#stops = [
      () => touched.stop(),
      electLeader(`of ${name}`, () => this.#lead(), { locks }),
      () => this.#end(),
    ];
    tab.post({ says: 'wants' });
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

  take(from: number, message: HandoverMessage): void {
    if (message.says === 'leads') {
      if (!this.#isDone) this.#tab.post({ says: 'wants' });
    } else if (message.says === 'slice') {
      if (message.to === this.#tab.id && !this.#isLeader) this.#receive(message);
    } else if (this.#isLeader) this.#serve(from, message.says === 'wants');
  }

  #serve(to: number, begins: boolean): void {
    const { store } = this.#tab.desk;
    if (begins) {
      const context = { store, named: this.#named, speech: this.#speech, unkept: this.#unkept };
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
      // without these rows the lists behind them would not be complete: the tab asks the server
      this.#sessions.delete(to);
      this.#tab.post({ says: 'slice', to, at: store.time, rows: [], isLast: true });
      warn('B2', 'handover', { schema: rows[0]?.kind ?? '', reason });
    }
  }

  #receive({ at, rows, isLast }: HandoverMessage & { readonly says: 'slice' }): void {
    const { desk } = this.#tab;
    const { store, clock, events } = desk;
    try {
      const before = store.time;
      const context = { store, named: this.#named, hearing: this.#hearing, at };
      const writes = hydrateStore(context, rows);
      events.emit('commit', () => ({
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
      for (const { key } of writes) this.#heard(key as string);
    } finally {
      // what does not fit is left out
      if (isLast) this.#end();
      else this.#tab.post({ says: 'more' });
    }
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }
}

/** Stands for the handover, as if it were the first request: what is confirmed meanwhile is newer. */
function beginOpening(): InFlightRequest {
  const endpoint = new Endpoint(() => Promise.resolve(), { name: 'handover', sideEffect: true });
  // no response comes, and a reset does not end it
  return Object.assign(new InFlightRequest(endpoint, [], 0, {}), { decided: true });
}
