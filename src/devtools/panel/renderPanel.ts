/** The elements of the panel: the bar with the tabs, and the groups, visible rows and detail of the open tab. */
import type { TabState } from './PanelState.ts';
import { button } from './PanelTab.ts';
import type { PanelTab, Group, TabRows } from './PanelTab.ts';
import { h } from './VNode.ts';
import type { Child, VNode } from './VNode.ts';

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

/** The visible rows, and some before and after. */
export interface VisibleRows {
  readonly first: number;
  readonly end: number;
}

interface PanelView {
  readonly boards: readonly PanelTab[];
  readonly tab: number;
  readonly spot: TabState;
  readonly rows: TabRows;
  readonly part: VisibleRows;
  readonly height: number;
  readonly floating: boolean;
}

export const pill = (): VNode =>
  h(
    'button',
    { type: 'button', class: 'pill', 'data-do': 'expand', 'aria-expanded': 'false' },
    mark(),
    'signalbox',
  );

export function renderPanel(view: PanelView): VNode {
  const { boards, tab, spot, rows } = view;
  const board = boards[tab] as PanelTab;
  const groups = board.groups();
  return h(
    'section',
    { class: view.floating ? 'dock floating' : 'dock', 'aria-label': 'Signalbox' },
    gripOf(view),
    barOf(view),
    h(
      'div',
      {
        class: spot.chosen === undefined ? 'body' : 'body chosen',
        role: 'tabpanel',
        id: 'body',
        'aria-labelledby': `tab-${tab}`,
      },
      groups.length > 0 ? groupsOf(board, groups, spot) : undefined,
      h('div', { class: 'main' }, toolsOf(board, rows, spot), rowsSketch(view, board)),
      detailOf(board, spot),
    ),
  );
}

const mark = (): VNode =>
  h(
    'svg',
    { class: 'mark', viewBox: '0 0 16 16', width: 14, height: 14, 'aria-hidden': 'true' },
    h('rect', { width: 16, height: 16, rx: 5 }),
    h('path', { d: 'M4 11V8.5a3 3 0 0 1 3-3h5M9.5 3 12 5.5 9.5 8' }),
  );

const gripOf = ({ height }: PanelView): VNode =>
  h('div', {
    class: 'grip',
    role: 'separator',
    tabindex: 0,
    'aria-orientation': 'horizontal',
    'aria-label': 'Height of the panel',
    'aria-valuenow': height,
  });

function barOf({ boards, tab, floating }: PanelView): VNode {
  const tabs = boards.map(({ title, count }, at) =>
    h(
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
      h('span', { class: 'count' }, count === 0 ? '' : count.toLocaleString('en')),
    ),
  );
  return h(
    'div',
    { class: 'bar' },
    h('span', { class: 'brand' }, mark(), 'signalbox'),
    h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Signalbox' }, ...tabs),
    quietButton('float', floating ? 'Dock the panel' : 'Float the panel', floating ? '▁' : '◳'),
    quietButton('collapse', 'Collapse the panel', '▾', { 'aria-expanded': 'true' }),
  );
}

const quietButton = (act: string, name: string, sign: string, more: VNode['attributes'] = {}) =>
  h(
    'button',
    { type: 'button', class: 'quiet', 'data-do': act, 'aria-label': name, title: name, ...more },
    sign,
  );

function groupsOf(board: PanelTab, groups: readonly Group[], { group: chosen }: TabState): VNode {
  const one = (name: string, title: string, count: number) =>
    h(
      'button',
      {
        type: 'button',
        'data-do': 'group',
        'data-about': name,
        'aria-pressed': String(name === chosen),
      },
      h('span', {}, title),
      h('span', { class: 'count' }, count.toLocaleString('en')),
    );
  return h(
    'nav',
    { 'aria-label': 'Groups' },
    one('', 'All', board.count),
    ...groups.flatMap(({ name, title, count, heading }) => [
      ...(heading === undefined ? [] : [h('h3', {}, heading)]),
      one(name, title, count),
    ]),
  );
}

const toolsOf = (board: PanelTab, { length }: TabRows, { filter }: TabState): VNode =>
  h(
    'div',
    { class: 'tools' },
    h('input', {
      type: 'search',
      placeholder: 'Filter',
      'aria-label': `Filter ${board.title.toLowerCase()}`,
      spellcheck: 'false',
      autocomplete: 'off',
    }),
    h('span', { class: 'dim' }, filter === '' ? '' : `${length.toLocaleString('en')} match`),
    ...(board.tools?.() ?? []),
  );

function rowsSketch({ rows, part, spot, tab }: PanelView, board: PanelTab): VNode {
  const visibleRows: VNode[] = [];
  for (let at = part.first; at < part.end; at++) visibleRows.push(rowSketch(rows, at, spot));
  const nothing = spot.filter === '' && spot.group === '' ? board.empty : 'Nothing matches.';
  const chosen = visibleRows.some(({ attributes }) => attributes['aria-selected'] === 'true');
  return h(
    'div',
    {
      class: `rows board-${tab}`,
      role: 'listbox',
      tabindex: 0,
      'aria-label': board.title,
      'aria-activedescendant': chosen ? 'chosen' : undefined,
    },
    h('div', { class: 'space-above', role: 'presentation' }),
    ...visibleRows,
    h('div', { class: 'space-below', role: 'presentation' }),
    rows.length === 0 ? h('p', { class: 'empty' }, nothing) : undefined,
  );
}

function rowSketch(rows: TabRows, at: number, { chosen }: TabState): VNode {
  const key = rows.key(at);
  return h(
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

function detailOf(board: PanelTab, { chosen }: TabState): VNode {
  const known = chosen === undefined ? undefined : board.detail(chosen);
  const gone =
    chosen === undefined ? 'Select a row to see its details.' : 'Deleted, or no longer stored.';
  const children: readonly Child[] = known ?? [h('p', { class: 'empty' }, gone)];
  return h(
    'div',
    { class: 'detail', role: 'region', tabindex: 0, 'aria-label': 'Detail' },
    chosen === undefined ? undefined : button('leave', '', '×'),
    ...children,
  );
}
