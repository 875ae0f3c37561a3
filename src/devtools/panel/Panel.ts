/** The panel: renders the open tab, and executes the actions of its user. */
import type { Controller } from '../../Controller.ts';
import { contextOf } from '../../fetch/FetchContext.ts';
import type { Board, BoardRows } from './Board.ts';
import { EntityBoard } from './EntityBoard.ts';
import { LayerBoard } from './LayerBoard.ts';
import { panelSketch, pill, ROW } from './panelSketch.ts';
import type { VisibleRows } from './panelSketch.ts';
import { RecordPlaces } from './RecordPlaces.ts';
import { Pulse } from './Pulse.ts';
import { Recorder } from './Recorder.ts';
import { RequestBoard } from './RequestBoard.ts';
import { draw } from './sketch.ts';
import type { Standing } from './Standing.ts';
import { TimelineBoard } from './TimelineBoard.ts';

/** The dependencies of the panel. */
export interface PanelContext {
  readonly root: ShadowRoot;
  /** Style sheet for measured values, because a strict policy refuses style attributes. */
  readonly figures: CSSStyleSheet;
  readonly standing: Standing;
  /** How many requests and commits are remembered. */
  readonly most: number;
  /** True: a collapsed panel goes on recording. */
  readonly always: boolean;
}

// rows rendered beyond the edges, so that a short scroll shows no gap
const AROUND = 6;
// pixels, if nothing can be measured
const USUAL = 480;

export class Panel {
  readonly standing: Standing;
  readonly #ground: PanelContext;
  readonly #boards: readonly Board[];
  readonly #recorder: Recorder;
  readonly #pulse: Pulse;
  /** True if the user's input or scroll position must be restored in the next frame. */
  #moved = true;

  constructor(controller: Controller, ground: PanelContext) {
    const places = new RecordPlaces(contextOf(controller).store);
    this.#ground = ground;
    this.standing = ground.standing;
    const { ownerDocument } = ground.root;
    this.#pulse = new Pulse(ownerDocument, contextOf(controller).clock, () => this.#draw());
    this.#recorder = new Recorder(controller, places, ground.most, () => this.#pulse.ask());
    this.#boards = [
      new EntityBoard(controller, places),
      new RequestBoard(controller, places),
      new LayerBoard(controller, places),
      new TimelineBoard(this.#recorder),
    ];
    if (this.#board === undefined) this.standing.tab = 0;
    if (ground.always) this.#recorder.start();
    this.#turn();
  }

  get #board(): Board {
    return this.#boards[this.standing.tab] as Board;
  }

  close(): void {
    this.#pulse.stop();
    this.#recorder.stop();
  }

  collapse(collapsed: boolean): void {
    this.standing.collapsed = collapsed;
    this.#turn();
    const next = collapsed ? '.pill' : '[role=tab][aria-selected=true]';
    this.#ground.root.querySelector<HTMLElement>(next)?.focus();
  }

  /** A collapsed panel has no listeners and no timers. */
  #turn(): void {
    if (this.standing.collapsed) {
      this.#pulse.stop();
      if (!this.#ground.always) this.#recorder.stop();
      draw(this.#ground.root, [pill()]);
      this.#ground.figures.replaceSync(':host{--height:0}');
    } else {
      this.#recorder.start();
      this.#moved = true;
      this.#draw();
      this.#pulse.start();
    }
  }

  /** Opens another tab, counted from the left; the count wraps around. */
  open(tab: number): void {
    const count = this.#boards.length;
    this.standing.tab = (tab + count) % count;
    this.#moved = true;
    this.#pulse.ask();
    this.#ground.root.querySelector<HTMLElement>(`#tab-${this.standing.tab}`)?.focus();
  }

  get tabs(): number {
    return this.#boards.length;
  }

  /** Executes the action of a button or a row. */
  act(what: string, about: string): void {
    const { spot } = this.standing;
    if (what === 'tab') return this.open(Number(about));
    if (what === 'collapse' || what === 'expand') return this.collapse(what === 'collapse');
    if (what === 'choose' || what === 'show') spot.chosen = about;
    else if (what === 'leave') spot.chosen = undefined;
    else if (what === 'group') this.#narrow(about, spot.filter);
    else if (what === 'go') this.#go(about);
    else this.#board.act?.(what, about);
    this.#pulse.ask();
  }

  /** Opens the tab and the row of a record. */
  #go(place: string): void {
    this.open(0);
    this.standing.spot.chosen = place;
    const { group } = this.standing.spot;
    if (group !== '' && !place.startsWith(`${group}:`)) this.#narrow('', '');
  }

  filter(text: string): void {
    this.#narrow(this.standing.spot.group, text.toLowerCase());
    this.#pulse.ask();
  }

  #narrow(group: string, filter: string): void {
    Object.assign(this.standing.spot, { group, filter, top: 0 });
    this.#moved = true;
  }

  scrolled(top: number): void {
    this.standing.spot.top = top;
    this.#pulse.ask();
  }

  /** Moves the selection down by this number of rows. */
  move(by: number): void {
    const { spot } = this.standing;
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
    this.#pulse.ask();
  }

  resize(height: number): void {
    const { innerHeight = USUAL } = this.#ground.root.ownerDocument.defaultView ?? {};
    this.standing.resize(height, innerHeight);
    this.#pulse.ask();
  }

  #rows(): BoardRows {
    const { group, filter } = this.standing.spot;
    return this.#board.rows(group, filter);
  }

  get #list(): HTMLElement | null {
    return this.#ground.root.querySelector('.rows');
  }

  /** The height of the visible part of the rows. */
  get #height(): number {
    return this.#list?.clientHeight || USUAL;
  }

  #draw(): void {
    const { root, figures } = this.#ground;
    const { spot, tab, height } = this.standing;
    const rows = this.#rows();
    const part = this.#part(rows.length);
    draw(root, [panelSketch({ boards: this.#boards, tab, spot, rows, part, height })]);
    const above = part.first * ROW;
    const below = (rows.length - part.end) * ROW;
    figures.replaceSync(
      `:host{--height:${height}px}.space-above{height:${above}px}.space-below{height:${below}px}`,
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
    const top = Math.max(0, Math.min(this.standing.spot.top, length * ROW - height));
    const first = Math.max(0, Math.floor(top / ROW) - AROUND);
    return { first, end: Math.min(length, first + Math.ceil(height / ROW) + 2 * AROUND) };
  }
}
