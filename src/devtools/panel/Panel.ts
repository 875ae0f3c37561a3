/** The panel: renders the open tab, and executes the actions of the user. */
import type { Controller } from '../../Controller.ts';
import { contextOf } from '../../request/FetchContext.ts';
import type { PanelTab, TabRows } from './PanelTab.ts';
import { EntityTab } from './EntityTab.ts';
import { LayerTab } from './LayerTab.ts';
import { renderPanel, pill, ROW } from './renderPanel.ts';
import type { VisibleRows } from './renderPanel.ts';
import { RecordPlaces } from './RecordPlaces.ts';
import { Recorder } from './Recorder.ts';
import { RequestTab } from './RequestTab.ts';
import { patch } from './VNode.ts';
import type { PanelState } from './PanelState.ts';
import { TimelineTab } from './TimelineTab.ts';
import type { Clock } from '../../clock.ts';

/** The dependencies of the panel. */
interface PanelContext {
  readonly root: ShadowRoot;
  /** Style sheet for measured values, because a strict policy refuses style attributes. */
  readonly figures: CSSStyleSheet;
  readonly standing: PanelState;
  /** How many requests and commits are remembered. */
  readonly most: number;
  /** True: a collapsed panel goes on recording. */
  readonly always: boolean;
}

// rows rendered beyond the edges, so that a short scroll shows no gap
const OVERSCAN_ROWS = 6;
// pixels, if nothing can be measured
const DEFAULT_HEIGHT = 480;

export class Panel {
  readonly standing: PanelState;
  readonly #context: PanelContext;
  readonly #tabs: readonly PanelTab[];
  readonly #recorder: Recorder;
  readonly #scheduler: RedrawScheduler;
  /** True if the user's input or scroll position must be restored in the next frame. */
  #moved = true;

  constructor(controller: Controller, context: PanelContext) {
    const places = new RecordPlaces(contextOf(controller).store);
    this.#context = context;
    this.standing = context.standing;
    const { ownerDocument } = context.root;
    this.#scheduler = new RedrawScheduler(ownerDocument, contextOf(controller).clock, () =>
      this.#draw(),
    );
    this.#recorder = new Recorder(controller, places, context.most, () =>
      this.#scheduler.request(),
    );
    this.#tabs = [
      new EntityTab(controller, places),
      new RequestTab(controller, places),
      new LayerTab(controller, places),
      new TimelineTab(this.#recorder),
    ];
    if (this.#board === undefined) this.standing.tab = 0;
    if (context.always) this.#recorder.start();
    this.#turn();
  }

  get #board(): PanelTab {
    return this.#tabs[this.standing.tab] as PanelTab;
  }

  close(): void {
    this.#scheduler.stop();
    this.#recorder.stop();
  }

  collapse(collapsed: boolean): void {
    this.standing.collapsed = collapsed;
    this.#turn();
    const next = collapsed ? '.pill' : '[role=tab][aria-selected=true]';
    this.#context.root.querySelector<HTMLElement>(next)?.focus();
  }

  /** A collapsed panel has no listeners and no timers. */
  #turn(): void {
    if (this.standing.collapsed) {
      this.#scheduler.stop();
      if (!this.#context.always) this.#recorder.stop();
      patch(this.#context.root, [pill()]);
      this.#context.figures.replaceSync(':host{--space:0}');
    } else {
      this.#recorder.start();
      this.#moved = true;
      this.#draw();
      this.#scheduler.start();
    }
  }

  /** Opens another tab, counted from the left; the count wraps around. */
  open(tab: number): void {
    const count = this.#tabs.length;
    this.standing.tab = (tab + count) % count;
    this.#moved = true;
    this.#scheduler.request();
    this.#context.root.querySelector<HTMLElement>(`#tab-${this.standing.tab}`)?.focus();
  }

  get tabs(): number {
    return this.#tabs.length;
  }

  /** Executes the action of a button or a row. */
  act(what: string, about: string): void {
    const { tabState: spot } = this.standing;
    if (what === 'tab') return this.open(Number(about));
    if (what === 'collapse' || what === 'expand') return this.collapse(what === 'collapse');
    if (what === 'float') this.standing.floating = !this.standing.floating;
    else if (what === 'choose' || what === 'show') spot.chosen = about;
    else if (what === 'leave') spot.chosen = undefined;
    else if (what === 'group') this.#narrow(about, spot.filter);
    else if (what === 'go') this.#go(about);
    else this.#board.act?.(what, about);
    this.#scheduler.request();
  }

  /** Opens the tab and the row of a record. */
  #go(place: string): void {
    this.open(0);
    this.standing.tabState.chosen = place;
    const { group } = this.standing.tabState;
    if (group !== '' && !place.startsWith(`${group}:`)) this.#narrow('', '');
  }

  filter(text: string): void {
    this.#narrow(this.standing.tabState.group, text.toLowerCase());
    this.#scheduler.request();
  }

  #narrow(group: string, filter: string): void {
    Object.assign(this.standing.tabState, { group, filter, top: 0 });
    this.#moved = true;
  }

  scrolled(top: number): void {
    this.standing.tabState.top = top;
    this.#scheduler.request();
  }

  /** Moves the selection down by this number of rows. */
  move(by: number): void {
    const { tabState: spot } = this.standing;
    const rows = this.#rows();
    if (rows.length === 0) return;
    let at = 0;
    while (at < rows.length && rows.key(at) !== spot.chosen) at++;
    const beside = by < 0 ? rows.length : -1;
    const from = at < rows.length ? at : beside;
    const next = Math.max(0, Math.min(from + by, rows.length - 1));
    spot.chosen = rows.key(next);
    const height = this.#height;
    spot.top = Math.min(spot.top, next * ROW);
    spot.top = Math.max(spot.top, (next + 1) * ROW - height);
    this.#moved = true;
    this.#scheduler.request();
  }

  resize(height: number): void {
    const { innerHeight = DEFAULT_HEIGHT } = this.#context.root.ownerDocument.defaultView ?? {};
    this.standing.resize(height, innerHeight);
    this.#scheduler.request();
  }

  #rows(): TabRows {
    const { group, filter } = this.standing.tabState;
    return this.#board.rows(group, filter);
  }

  get #list(): HTMLElement | null {
    return this.#context.root.querySelector('.rows');
  }

  /** The height of the visible part of the rows. */
  get #height(): number {
    return this.#list?.clientHeight || DEFAULT_HEIGHT;
  }

  #draw(): void {
    const { root, figures } = this.#context;
    const { tabState: spot, tab, height, floating } = this.standing;
    const rows = this.#rows();
    const part = this.#part(rows.length);
    patch(root, [renderPanel({ boards: this.#tabs, tab, spot, rows, part, height, floating })]);
    const above = part.first * ROW;
    const below = (rows.length - part.end) * ROW;
    figures.replaceSync(
      `:host{--height:${height}px;--space:${floating ? 0 : height}px}.space-above{height:${above}px}.space-below{height:${below}px}`,
    );
    const input = root.querySelector('input');
    if (this.#moved && input !== null && input.value.toLowerCase() !== spot.filter)
      input.value = spot.filter;
    const list = this.#list;
    if (this.#moved && list !== null && list.scrollTop !== spot.top) list.scrollTop = spot.top;
    this.#moved = false;
  }

  #part(length: number): VisibleRows {
    const height = this.#height;
    const top = Math.max(0, Math.min(this.standing.tabState.top, length * ROW - height));
    const first = Math.max(0, Math.floor(top / ROW) - OVERSCAN_ROWS);
    return { first, end: Math.min(length, first + Math.ceil(height / ROW) + 2 * OVERSCAN_ROWS) };
  }
}

// countdowns change this often, ms
const SECOND = 1_000;

/** When the panel renders: at most once in a frame, each second while visible, else not at all. */
class RedrawScheduler {
  readonly #page: Document;
  readonly #clock: Clock;
  readonly #draw: () => void;
  #runs = false;
  #asked = false;
  #timer: unknown;
  readonly #turn = (): void => {
    this.#rest();
    this.request();
  };

  /** `clock`: the clock of the controller, which times the expiry. */
  constructor(page: Document, clock: Clock, draw: () => void) {
    this.#page = page;
    this.#clock = clock;
    this.#draw = draw;
  }

  start(): void {
    this.#runs = true;
    this.#page.addEventListener('visibilitychange', this.#turn);
    this.request();
  }

  stop(): void {
    this.#runs = false;
    this.#page.removeEventListener('visibilitychange', this.#turn);
    this.#rest();
  }

  /** Renders with the next frame if the panel is visible. */
  request(): void {
    if (!this.#runs || this.#asked || this.#page.hidden) return;
    this.#asked = true;
    this.#page.defaultView?.requestAnimationFrame(() => {
      this.#asked = false;
      if (!this.#runs || this.#page.hidden) return;
      this.#rest();
      this.#draw();
      this.#timer = this.#clock.after(SECOND, () => this.request());
    });
  }

  #rest(): void {
    this.#clock.clear(this.#timer);
    this.#timer = undefined;
  }
}
