/** The elements of the panel: the bar with the tabs, and of one tab the groups, the visible rows, and the detail. */
import type { Board, Group, BoardRows } from './Board.ts';
import { button } from './parts.ts';
import { sketch } from './sketch.ts';
import type { Child, Sketch } from './sketch.ts';
import type { Spot } from './Standing.ts';

/*
 *   ┌─ grip ──────────────────────────────────────────────────────┐
 *   │ signalbox   Entities 27   Requests 4   Layers   Timeline  ▾ │
 *   ├──────────┬───────────────────────────┬──────────────────────┤
 *   │ All      │ filter                    │ Todo 5               │
 *   │ Todo  24 ├───────────────────────────┤ title  "…"  GET … 3s │
 *   │ User   3 │ visible rows              │ …                    │
 *   └──────────┴───────────────────────────┴──────────────────────┘
 */

/** Pixels; must equal the height in the style sheet. */
export const ROW = 24;

/** The visible rows, and some around them. */
export interface VisibleRows {
  readonly first: number;
  readonly end: number;
}

export interface PanelState {
  readonly boards: readonly Board[];
  readonly tab: number;
  readonly spot: Spot;
  readonly rows: BoardRows;
  readonly part: VisibleRows;
  readonly height: number;
}

export const pill = (): Sketch =>
  sketch(
    'button',
    { type: 'button', class: 'pill', 'data-do': 'expand', 'aria-expanded': 'false' },
    mark(),
    'signalbox',
  );

export function panelSketch(shown: PanelState): Sketch {
  const { boards, tab, spot, rows } = shown;
  const board = boards[tab] as Board;
  const groups = board.groups();
  return sketch(
    'section',
    { class: 'dock', 'aria-label': 'Signalbox' },
    gripOf(shown),
    barOf(boards, tab),
    sketch(
      'div',
      { class: 'body', role: 'tabpanel', id: 'body', 'aria-labelledby': `tab-${tab}` },
      groups.length > 0 ? groupsOf(board, groups, spot) : undefined,
      sketch('div', { class: 'main' }, toolsOf(board, rows, spot), rowsSketch(shown, board)),
      detailOf(board, spot),
    ),
  );
}

const mark = (): Sketch =>
  sketch(
    'svg',
    { class: 'mark', viewBox: '0 0 16 16', width: 14, height: 14, 'aria-hidden': 'true' },
    sketch('rect', { width: 16, height: 16, rx: 5 }),
    sketch('path', { d: 'M4 11V8.5a3 3 0 0 1 3-3h5M9.5 3 12 5.5 9.5 8' }),
  );

const gripOf = ({ height }: PanelState): Sketch =>
  sketch('div', {
    class: 'grip',
    role: 'separator',
    tabindex: 0,
    'aria-orientation': 'horizontal',
    'aria-label': 'Height of the panel',
    'aria-valuenow': height,
  });

function barOf(boards: readonly Board[], tab: number): Sketch {
  const tabs = boards.map(({ title, count }, at) =>
    sketch(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${at}`,
        'data-do': 'tab',
        'data-about': at,
        'aria-selected': String(at === tab),
        'aria-controls': 'body',
        tabindex: at === tab ? 0 : -1,
      },
      title,
      sketch('span', { class: 'count' }, count === 0 ? '' : count.toLocaleString('en')),
    ),
  );
  return sketch(
    'div',
    { class: 'bar' },
    sketch('span', { class: 'brand' }, mark(), 'signalbox'),
    sketch('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Signalbox' }, ...tabs),
    sketch(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'data-do': 'collapse',
        'aria-expanded': 'true',
        'aria-label': 'Collapse the panel',
        title: 'Collapse: nothing is recorded meanwhile',
      },
      '▾',
    ),
  );
}

function groupsOf(board: Board, groups: readonly Group[], { group: chosen }: Spot): Sketch {
  const one = (name: string, title: string, count: number) =>
    sketch(
      'button',
      {
        type: 'button',
        'data-do': 'group',
        'data-about': name,
        'aria-pressed': String(name === chosen),
      },
      sketch('span', {}, title),
      sketch('span', { class: 'count' }, count.toLocaleString('en')),
    );
  return sketch(
    'nav',
    { 'aria-label': 'Groups' },
    one('', 'All', board.count),
    ...groups.flatMap(({ name, title, count, heading }) => [
      ...(heading === undefined ? [] : [sketch('h3', {}, heading)]),
      one(name, title, count),
    ]),
  );
}

const toolsOf = (board: Board, { length }: BoardRows, { filter }: Spot): Sketch =>
  sketch(
    'div',
    { class: 'tools' },
    sketch('input', {
      type: 'search',
      placeholder: 'Filter',
      'aria-label': `Filter ${board.title.toLowerCase()}`,
      spellcheck: 'false',
      autocomplete: 'off',
    }),
    sketch('span', { class: 'dim' }, filter === '' ? '' : `${length.toLocaleString('en')} match`),
    ...(board.tools?.() ?? []),
  );

function rowsSketch({ rows, part, spot, tab }: PanelState, board: Board): Sketch {
  const seen: Sketch[] = [];
  for (let at = part.first; at < part.end; at++) seen.push(rowSketch(rows, at, spot));
  const nothing = spot.filter === '' && spot.group === '' ? board.empty : 'Nothing matches.';
  const chosen = seen.some(({ attributes }) => attributes['aria-selected'] === 'true');
  return sketch(
    'div',
    {
      class: `rows board-${tab}`,
      role: 'listbox',
      tabindex: 0,
      'aria-label': board.title,
      'aria-activedescendant': chosen ? 'chosen' : undefined,
    },
    sketch('div', { class: 'space-above', role: 'presentation' }),
    ...seen,
    sketch('div', { class: 'space-below', role: 'presentation' }),
    rows.length === 0 ? sketch('p', { class: 'empty' }, nothing) : undefined,
  );
}

function rowSketch(rows: BoardRows, at: number, { chosen }: Spot): Sketch {
  const key = rows.key(at);
  return sketch(
    'div',
    {
      class: 'row',
      role: 'option',
      id: key === chosen ? 'chosen' : undefined,
      'data-do': 'choose',
      'data-about': key,
      'aria-selected': String(key === chosen),
      'aria-setsize': rows.length,
      'aria-posinset': at + 1,
    },
    ...rows.cells(at),
  );
}

function detailOf(board: Board, { chosen }: Spot): Sketch {
  const known = chosen === undefined ? undefined : board.detail(chosen);
  const gone = chosen === undefined ? 'Choose a row to see more of it.' : 'It is there no more.';
  const children: readonly Child[] = known ?? [sketch('p', { class: 'empty' }, gone)];
  return sketch(
    'div',
    { class: 'detail', role: 'region', tabindex: 0, 'aria-label': 'Detail' },
    known === undefined ? undefined : button('leave', '', '×'),
    ...children,
  );
}
