/** The tab of the timeline: requests with their durations, commits with their changes and the notified readers. */
import {
  rowsOf,
  badge,
  bar,
  button,
  cell,
  code,
  formatAge,
  formatCount,
  formatTime,
  heading,
  placeLink,
  propertyList,
  section,
  table,
} from './PanelTab.ts';
import type { Group, PanelTab, TabRows } from './PanelTab.ts';
import type { CommitItem, Recorder, RequestItem, TimelineItem } from './Recorder.ts';
import { h } from './VNode.ts';
import type { Child, VNode } from './VNode.ts';

export class TimelineTab implements PanelTab {
  readonly title = 'Timeline';
  readonly empty = 'No events since recording started.';
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
  rows(group: string, filter: string): TabRows {
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

  #request(request: RequestItem): readonly Child[] {
    const { id, title, key, args, read, at, cause, attempts, end, ms, reason } = request;
    const caused = this.#recorder.items.filter(
      (item): item is CommitItem => item.kind === 'commit' && item.ids.includes(id),
    );
    return [
      heading(title, badge(end)),
      propertyList([
        ['key', key],
        ['arguments', args],
        ['kind', read ? 'read' : 'mutation'],
        ['sent because', cause],
        ['sent', `${formatTime(at)} · #${id}`],
        ['took', ms === undefined ? undefined : formatAge(ms)],
        ['attempts', attempts > 1 ? String(attempts) : undefined],
        ['reason', reason && h('span', { class: 'wrong' }, reason)],
      ]),
      caused.length === 0
        ? undefined
        : section(
            'Commits',
            h(
              'ul',
              {},
              ...caused.map(({ number, cause, changes }) =>
                h(
                  'li',
                  {},
                  badge(cause),
                  button('show', String(number), formatCount(changes.length, 'record')),
                ),
              ),
            ),
          ),
    ].filter((child) => child !== undefined);
  }

  #commit(commit: CommitItem): readonly Child[] {
    const { cause, title, key, at, time, written, ids, changes, more, writes, replayed } = commit;
    const requests = this.#recorder.items.filter(
      (item): item is RequestItem => item.kind === 'request' && ids.includes(item.id),
    );
    return [
      heading(title || cause, badge(cause)),
      propertyList([
        ['why', reasonOf(commit)],
        ['key', key === title ? undefined : key],
        ['at', `${formatTime(at)} · logical time ${time}`],
        ['wrote', formatCount(written, 'signal')],
        ['from', replayed ? 'another controller' : undefined],
      ]),
      requests.length === 0
        ? undefined
        : h(
            'p',
            { class: 'acts' },
            ...requests.map((request) =>
              button('show', String(request.number), `${request.title} #${request.id}`),
            ),
          ),
      changes.length === 0
        ? section('', 'No visible data changed.')
        : section(
            'What changed, and which readers ran',
            table(
              ['record', 'changed', 'notified'],
              changes.map(({ name, place, what, notified }) => [
                placeLink(name, place),
                h('span', what === '' ? { class: 'dim' } : {}, what || 'shows it'),
                h('span', { class: 'notified' }, notified.join(', ')),
              ]),
            ),
            more > 0 ? `and ${more} more` : undefined,
          ),
      writes.length === 0 ? undefined : section('What was written', code(writes.join('\n'))),
    ].filter((child) => child !== undefined);
  }

  tools(): readonly VNode[] {
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

function groupOf(item: TimelineItem): string {
  if (item.kind === 'gap') return '';
  return item.kind === 'request' ? 'request' : item.cause;
}

function textOf(item: TimelineItem): string {
  if (item.kind === 'gap') return '';
  const names = item.kind === 'commit' ? item.changes.map(({ name }) => name).join(' ') : item.end;
  return `${item.title} ${item.key} ${names}`.toLowerCase();
}

function cellsOf(item: TimelineItem, longest: number): readonly VNode[] {
  if (item.kind === 'gap')
    return [
      cell('time', formatTime(item.at)),
      cell('gap', `nothing was recorded for ${formatAge(item.ms)}`),
    ];
  if (item.kind === 'commit')
    return [
      cell('time', formatTime(item.at)),
      badge(item.cause),
      cell('title', item.title),
      cell('end', item.written === 0 ? '' : formatCount(item.written, 'signal')),
      cell('end', notifiedReadersOf(item)),
    ];
  const { at, end, title, ms } = item;
  return [
    cell('time', formatTime(at)),
    badge(end),
    cell('title', title),
    cell('end', ms === undefined ? '' : bar(ms, longest)),
    cell('end', ms === undefined ? '' : formatAge(ms)),
  ];
}

function notifiedReadersOf({ changes }: CommitItem): string {
  const count = changes.reduce((sum, { notified }) => sum + notified.length, 0);
  return count === 0 ? 'notified no reader' : `notified ${count}`;
}

const reasons: Readonly<Record<CommitItem['cause'], string>> = {
  answer: 'a response arrived',
  set: 'written by the application',
  error: 'a read failed, or setError was called',
  invalidate: 'invalidated by the application or a response: refetched',
  expire: 'expired by the application or a mutation',
  reset: 'the store was reset',
  optimistic: 'the optimistic result of a mutation in flight',
  rollback: 'a mutation failed: its optimistic result is rolled back',
};

function reasonOf({ cause, replayed }: CommitItem): string {
  return replayed ? `${reasons[cause]} (elsewhere)` : reasons[cause];
}
