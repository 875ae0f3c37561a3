/** The small elements that all tabs share. */
import type { WhyReader } from '../why.ts';
import type { Place } from './RecordPlaces.ts';
import { sketch } from './sketch.ts';
import type { Child, Sketch } from './sketch.ts';

/** The name of a state, in its color. */
export const badge = (word: string): Sketch =>
  sketch('span', { class: `badge ${word.replace(' ', '-')}` }, word);

export const cell = (name: string, ...text: readonly (Child | undefined)[]): Sketch =>
  sketch('span', { class: `cell ${name}` }, ...text);

/** `act`: the action; `about`: its object. */
export const button = (act: string, about: string, text: string, disabled = false): Sketch =>
  sketch('button', { type: 'button', 'data-do': act, 'data-about': about, disabled }, text);

/** The name of a record; a link if the record has a place in a table. */
export const placeLink = (name: string, place: Place | undefined): Sketch =>
  place === undefined
    ? sketch('span', { class: 'name' }, name)
    : sketch(
        'button',
        { type: 'button', class: 'link', 'data-do': 'go', 'data-about': place },
        name,
      );

export const heading = (title: string, ...more: readonly (Child | undefined)[]): Sketch =>
  sketch('header', {}, sketch('h2', {}, title), ...more);

export const section = (title: string, ...children: readonly (Child | undefined)[]): Sketch =>
  sketch('section', {}, sketch('h3', {}, title), ...children);

/** Names and values, one line each; lines without a value are left out. */
export const facts = (lines: readonly (readonly [string, Child | undefined])[]): Sketch =>
  sketch(
    'dl',
    {},
    ...lines
      .filter(([, value]) => value !== undefined && value !== '')
      .flatMap(([name, value]) => [sketch('dt', {}, name), sketch('dd', {}, value)]),
  );

export const table = (
  head: readonly string[],
  rows: readonly (readonly (Child | undefined)[])[],
): Sketch =>
  sketch(
    'table',
    {},
    sketch('thead', {}, sketch('tr', {}, ...head.map((title) => sketch('th', {}, title)))),
    sketch(
      'tbody',
      {},
      ...rows.map((row) => sketch('tr', {}, ...row.map((each) => sketch('td', {}, each)))),
    ),
  );

export const code = (text: string): Sketch => sketch('pre', {}, text);

/** One line for each record made of this one, and whether it has readers. */
export const holding = (readers: readonly WhyReader[]): Sketch | undefined =>
  readers.length === 0
    ? undefined
    : sketch(
        'ul',
        {},
        ...readers.map(({ kind, name, read }) =>
          sketch(
            'li',
            {},
            sketch('span', { class: read ? 'dot read' : 'dot', title: read ? 'read' : 'not read' }),
            sketch('span', { class: 'dim' }, `${kind} `),
            sketch('span', { class: 'mono' }, name),
          ),
        ),
      );

const WIDTH = 64;

/** A bar for a duration, relative to the longest. */
export const bar = (ms: number, longest: number): Sketch =>
  sketch(
    'svg',
    { class: 'length', viewBox: `0 0 ${WIDTH} 8`, width: WIDTH, height: 8, 'aria-hidden': 'true' },
    sketch('rect', {
      x: 0,
      y: 1,
      height: 6,
      rx: 2,
      width: Math.max(2, Math.round((ms / Math.max(longest, 1)) * WIDTH)),
    }),
  );
