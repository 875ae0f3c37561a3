/** The changes of each commit, and the readers that it notified: collected during the commit, kept as text. */
import type { Controller } from '../../Controller.ts';
import { EntityRecord } from '../../store/entities/EntityRecord.ts';
import { FieldIndex, IndexRecord } from '../../store/entities/FieldIndex.ts';
import { ListRecord } from '../../store/lists/ListRecord.ts';
import { MapRecord } from '../../store/lists/MapRecord.ts';
import type { StoreRecord } from '../../store/records/StoreRecord.ts';
import { ResultRecord } from '../../store/results/ResultRecord.ts';
import { setNotifyHook } from '../../store/records/notifyHook.ts';
import { recordName } from '../plain.ts';
import type { Place, RecordPlaces } from './RecordPlaces.ts';
import { countReaders } from './countReaders.ts';
import { formatCount } from './formatAge.ts';

/** A record that changed for its readers. */
export interface RecordChange {
  readonly name: string;
  readonly place: Place | undefined;
  /** `title, done`; `came`, `went`, `members`, `result`; empty if only a record inside of this one changed. */
  readonly what: string;
  /** Readers that were notified: `field title`, `2 listeners`, `signal data`. */
  readonly notified: readonly string[];
}

export interface CommitChanges {
  readonly changes: readonly RecordChange[];
  /** How many more changes there were. */
  readonly more: number;
}

// changes listed for one commit
const MOST = 200;

interface Seen {
  readonly fields: Set<string>;
  readonly notified: Set<string>;
  moved: boolean;
}

/** One commit while it runs. */
class CommitLog {
  readonly seen = new Map<StoreRecord, Seen>();
  more = 0;

  note(record: StoreRecord, news: readonly string[] | true | undefined): void {
    if (record instanceof FieldIndex || record instanceof IndexRecord) return;
    let seen = this.seen.get(record);
    if (seen === undefined) {
      if (this.seen.size >= MOST) return void this.more++;
      this.seen.set(record, (seen = { fields: new Set(), notified: new Set(), moved: false }));
    }
    const { fields, signals, listeners } = countReaders(record);
    if (news === true) {
      seen.moved = true;
      if (signals.includes('shape')) seen.notified.add('signal shape');
    } else if (news === undefined) {
      for (const name of signals) if (name !== 'shape') seen.notified.add(`signal ${name}`);
      if (listeners > 0) seen.notified.add(formatCount(listeners, 'listener'));
    } else {
      for (const name of news) {
        seen.fields.add(name);
        if (fields.has(name)) seen.notified.add(`field ${name}`);
      }
    }
  }
}

/*
 * Commits may run inside of others: an effect at the end of a commit writes again. Each commit emits its event at its
 * end, so the changes collected last belong to the next event.
 */
export class NotificationLog {
  readonly #places: RecordPlaces;
  readonly #stop: () => void;
  #last: CommitLog | undefined;

  constructor(controller: Controller, places: RecordPlaces) {
    this.#places = places;
    this.#stop = controller.wrapCommits((commit) => {
      const tally = new CommitLog();
      const before = setNotifyHook((record, news) => tally.note(record as StoreRecord, news));
      try {
        commit();
      } finally {
        setNotifyHook(before);
        this.#last = tally;
      }
    });
  }

  /** The changes of the commit that has ended, its own writes first. */
  take(): CommitChanges {
    const { seen = new Map<StoreRecord, Seen>(), more = 0 } = this.#last ?? {};
    this.#last = undefined;
    const changes = Array.from(seen, ([record, each]) => this.#told(record, each));
    const own = changes.filter(({ what }) => what !== '');
    const others = changes.filter(({ what }) => what === '');
    return { changes: [...own, ...others], more };
  }

  #told(record: StoreRecord, { fields, moved, notified: woken }: Seen): RecordChange {
    const name = record instanceof ResultRecord ? record.key : recordName(record);
    const what = fields.size > 0 ? [...fields].join(', ') : moved ? newsOf(record) : '';
    return { name, place: this.#places.of(record), what, notified: [...woken] };
  }

  end(): void {
    this.#stop();
  }
}

function newsOf(record: StoreRecord): string {
  if (record instanceof EntityRecord) return record.exists ? 'came' : 'went';
  return record instanceof ListRecord || record instanceof MapRecord ? 'members' : 'result';
}
