/** The interface of a tab (groups to choose from, rows, the detail of a row), and small elements that tabs share. */
import { toDate } from '../../clock.ts';
import type { WhyReader } from '../why.ts';
import type { Place } from './RecordPlaces.ts';
import { h } from './VNode.ts';
import type { Child, VNode } from './VNode.ts';

/** A group of rows. */
export interface Group {
  readonly name: string;
  readonly title: string;
  readonly count: number;
  /** A heading above the group, where another kind of groups begins. */
  readonly heading?: string;
}

/** Ordered rows; the cells of a row are created when the row is visible. */
export interface TabRows {
  readonly length: number;
  /** The key of a row, which stays the same when other rows come and go. */
  key(at: number): string;
  cells(at: number): readonly VNode[];
}

export interface PanelTab {
  readonly title: string;
  /** The number beside the tab's title. */
  readonly count: number;
  /** The text for an empty list. */
  readonly empty: string;
  groups(): readonly Group[];
  /** The rows of `group` that contain `filter`, in lower case; '' selects all groups, or does not filter. */
  rows(group: string, filter: string): TabRows;
  /** The detail of the row with this key; undefined if the row no longer exists. */
  detail(key: string): readonly Child[] | undefined;
  /** Elements beside the filter. */
  tools?(): readonly VNode[];
  /** Executes the action of a button with `data-do`. */
  act?(what: string, about: string): void;
}

/** The rows of an array. */
export function rowsOf<T>(
  items: readonly T[],
  key: (item: T) => string,
  cells: (item: T) => readonly VNode[],
): TabRows {
  return {
    length: items.length,
    key: (at) => key(items[at] as T),
    cells: (at) => cells(items[at] as T),
  };
}

/** The name of a state, in the color of that state. */
export const badge = (word: string): VNode =>
  h('span', { class: `badge ${word.replace(' ', '-')}` }, word);

export const cell = (name: string, ...text: readonly (Child | undefined)[]): VNode =>
  h('span', { class: `cell ${name}` }, ...text);

/** `act`: the action; `about`: the object of the action. */
export const button = (act: string, about: string, text: string, disabled = false): VNode =>
  h('button', { type: 'button', 'data-do': act, 'data-about': about, disabled }, text);

/** The name of a record; a link if the record has a place in a table. */
export const placeLink = (name: string, place: Place | undefined): VNode =>
  place === undefined
    ? h('span', { class: 'name' }, name)
    : h('button', { type: 'button', class: 'link', 'data-do': 'go', 'data-about': place }, name);

export const heading = (title: string, ...more: readonly (Child | undefined)[]): VNode =>
  h('header', {}, h('h2', {}, title), ...more);

export const section = (title: string, ...children: readonly (Child | undefined)[]): VNode =>
  h('section', {}, h('h3', {}, title), ...children);

/** Names and values, a line for each; lines without a value are left out. */
export const propertyList = (lines: readonly (readonly [string, Child | undefined])[]): VNode =>
  h(
    'dl',
    {},
    ...lines
      .filter(([, value]) => value !== undefined && value !== '')
      .flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
  );

export const table = (
  head: readonly string[],
  rows: readonly (readonly (Child | undefined)[])[],
): VNode =>
  h(
    'table',
    {},
    h('thead', {}, h('tr', {}, ...head.map((title) => h('th', {}, title)))),
    h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map((each) => h('td', {}, each))))),
  );

export const code = (text: string): VNode => h('pre', {}, text);

/** A line for each record made of this record, and whether that record has readers. */
export const holderList = (readers: readonly WhyReader[]): VNode | undefined =>
  readers.length === 0
    ? undefined
    : h(
        'ul',
        {},
        ...readers.map(({ kind, name, read }) =>
          h(
            'li',
            {},
            h('span', { class: read ? 'dot read' : 'dot', title: read ? 'read' : 'not read' }),
            h('span', { class: 'dim' }, `${kind} `),
            h('span', { class: 'mono' }, name),
          ),
        ),
      );

const WIDTH = 64;

/** A bar for a duration, relative to the longest. */
export const bar = (ms: number, longest: number): VNode =>
  h(
    'svg',
    { class: 'length', viewBox: `0 0 ${WIDTH} 8`, width: WIDTH, height: 8, 'aria-hidden': 'true' },
    h('rect', {
      x: 0,
      y: 1,
      height: 6,
      rx: 2,
      width: Math.max(2, Math.round((ms / Math.max(longest, 1)) * WIDTH)),
    }),
  );

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** `340 ms`, `1.2 s`, `75 s`, `12 min`, `3 h`. */
export function formatAge(ms: number): string {
  if (!Number.isFinite(ms)) return 'forever';
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 2 * MINUTE) return `${Math.round(ms / 1_000)} s`;
  return ms < HOUR ? `${Math.round(ms / MINUTE)} min` : `${Math.round(ms / HOUR)} h`;
}

/** In full seconds, for times that count down or up on the screen. */
export function formatSeconds(ms: number): string {
  return ms < 1_000 ? '0 s' : formatAge(Math.floor(ms / 1_000) * 1_000).replace('.0', '');
}

/** `14:03:09.120`, in local time. */
export function formatTime(at: number): string {
  const date = toDate(at);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** `1 reader`, `2 readers`. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`;
}
