/** The tab of the timeline: requests with their durations, commits with their changes and the readers they notified. */
import type { Board, Group, BoardRows } from './Board.ts';
import { rowsOf } from './Board.ts';
import {
  badge,
  bar,
  button,
  cell,
  code,
  facts,
  heading,
  placeLink,
  section,
  table,
} from './parts.ts';
import type { Done, Item, Recorder, RecordedRequest } from './Recorder.ts';
import { sketch } from './sketch.ts';
import type { Child, Sketch } from './sketch.ts';
import { countOf, clockText, wordsOf } from './wordsOf.ts';

export class TimelineBoard implements Board {
  readonly title = 'Timeline';
  readonly empty = 'Nothing has happened since recording began.';
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  get count(): number {
    return this.#recorder.items.length;
  }

  groups(): readonly Group[] {
    const counts = new Map<string, number>();
    for (const item of this.#recorder.items)
      counts.set(groupOf(item), (counts.get(groupOf(item)) ?? 0) + 1);
    counts.delete('');
    return Array.from(counts, ([name, count]) => ({ name, title: name, count }));
  }

  /** The newest first. */
  rows(group: string, filter: string): BoardRows {
    const { items } = this.#recorder;
    const shown = items.filter(
      (item) => (group === '' || groupOf(item) === group) && textOf(item).includes(filter),
    );
    const longest = Math.max(
      ...items.map((item) => (item.kind === 'request' ? (item.ms ?? 0) : 0)),
    );
    return rowsOf(
      shown.reverse(),
      ({ number }) => String(number),
      (item) => cellsOf(item, longest),
    );
  }

  detail(key: string): readonly Child[] | undefined {
    const item = this.#recorder.items.find(({ number }) => String(number) === key);
    if (item?.kind === 'request') return this.#request(item);
    return item?.kind === 'commit' ? this.#commit(item) : undefined;
  }

  #request(sent: RecordedRequest): readonly Child[] {
    const { id, title, key, args, read, at, attempts, end, ms, reason } = sent;
    const caused = this.#recorder.items.filter(
      (item): item is Done => item.kind === 'commit' && item.ids.includes(id),
    );
    return [
      heading(title, badge(end)),
      facts([
        ['key', key],
        ['arguments', args],
        ['is', read ? 'a read' : 'a mutation'],
        ['sent', `${clockText(at)} · #${id}`],
        ['took', ms === undefined ? undefined : wordsOf(ms)],
        ['attempts', attempts > 1 ? String(attempts) : undefined],
        ['reason', reason && sketch('span', { class: 'wrong' }, reason)],
      ]),
      caused.length === 0
        ? undefined
        : section(
            'What it did',
            sketch(
              'ul',
              {},
              ...caused.map(({ number, cause, changes }) =>
                sketch(
                  'li',
                  {},
                  badge(cause),
                  button('show', String(number), countOf(changes.length, 'stored thing')),
                ),
              ),
            ),
          ),
    ].filter((child) => child !== undefined);
  }

  #commit(done: Done): readonly Child[] {
    const { cause, title, key, at, time, written, ids, changes, more, writes, replayed } = done;
    const requests = this.#recorder.items.filter(
      (item): item is RecordedRequest => item.kind === 'request' && ids.includes(item.id),
    );
    return [
      heading(title || cause, badge(cause)),
      facts([
        ['why', whyOf(done)],
        ['key', key === title ? undefined : key],
        ['at', `${clockText(at)} · logical time ${time}`],
        ['wrote', countOf(written, 'signal')],
        ['from', replayed ? 'another controller' : undefined],
      ]),
      requests.length === 0
        ? undefined
        : sketch(
            'p',
            { class: 'acts' },
            ...requests.map((sent) =>
              button('show', String(sent.number), `${sent.title} #${sent.id}`),
            ),
          ),
      changes.length === 0
        ? section('', 'Nothing that anybody could see has changed.')
        : section(
            'What changed, and who ran for it',
            table(
              ['stored', 'changed', 'woken'],
              changes.map(({ name, place, what, woken }) => [
                placeLink(name, place),
                sketch('span', what === '' ? { class: 'dim' } : {}, what || 'shows it'),
                sketch('span', { class: 'woken' }, woken.join(', ')),
              ]),
            ),
            more > 0 ? `and ${more} more` : undefined,
          ),
      writes.length === 0 ? undefined : section('What was written', code(writes.join('\n'))),
    ].filter((child) => child !== undefined);
  }

  tools(): readonly Sketch[] {
    const { paused } = this.#recorder;
    return [
      button(paused ? 'resume' : 'pause', '', paused ? 'Record' : 'Pause'),
      button('clear', '', 'Clear'),
    ];
  }

  act(what: string): void {
    if (what === 'clear') this.#recorder.clear();
    if (what === 'pause' || what === 'resume') this.#recorder.pause(what === 'pause');
  }
}

function groupOf(item: Item): string {
  if (item.kind === 'gap') return '';
  return item.kind === 'request' ? 'request' : item.cause;
}

function textOf(item: Item): string {
  if (item.kind === 'gap') return '';
  const names = item.kind === 'commit' ? item.changes.map(({ name }) => name).join(' ') : item.end;
  return `${item.title} ${item.key} ${names}`.toLowerCase();
}

function cellsOf(item: Item, longest: number): readonly Sketch[] {
  if (item.kind === 'gap')
    return [
      cell('time', clockText(item.at)),
      cell('gap', `nothing was recorded for ${wordsOf(item.ms)}`),
    ];
  if (item.kind === 'commit')
    return [
      cell('time', clockText(item.at)),
      badge(item.cause),
      cell('title', item.title),
      cell('end', item.written === 0 ? '' : countOf(item.written, 'signal')),
      cell('end', wokenOf(item)),
    ];
  const { at, end, title, ms } = item;
  return [
    cell('time', clockText(at)),
    badge(end),
    cell('title', title),
    cell('end', ms === undefined ? '' : bar(ms, longest)),
    cell('end', ms === undefined ? '' : wordsOf(ms)),
  ];
}

function wokenOf({ changes }: Done): string {
  const count = changes.reduce((sum, { woken }) => sum + woken.length, 0);
  return count === 0 ? 'woke nobody' : `woke ${count}`;
}

const reasons: Readonly<Record<Done['cause'], string>> = {
  answer: 'the server answered',
  set: 'the program wrote it',
  error: 'a read failed, or the program said so',
  invalidate: 'the program, or an answer, made it invalid: it must be asked again',
  expire: 'it was made to count as expired',
  reset: 'everything was reset',
  optimistic: 'a mutation is under way, and this is expected of it',
  rollback: 'a mutation failed, and what was expected of it is taken back',
};

function whyOf({ cause, replayed }: Done): string {
  return replayed ? `${reasons[cause]} (elsewhere)` : reasons[cause];
}
