/** Counts renders, requests and written signals, since the page was opened and since the last action. */
import type { Exchange } from '../resources.ts';

export type Framework = 'react' | 'preact' | 'solid';
export const frameworks: readonly Framework[] = ['react', 'preact', 'solid'];

export interface Figures {
  requests: number;
  commits: number;
  signals: number;
  /** Renders of a framework's list and of its rows; in Solid the runs of their effects. */
  readonly list: Record<Framework, number>;
  readonly row: Record<Framework, number>;
}

function blank(): Figures {
  const none = { react: 0, preact: 0, solid: 0 };
  return { requests: 0, commits: 0, signals: 0, list: { ...none }, row: { ...none } };
}

/** Since the page was opened. */
export const total: Figures = blank();
/** Since the last action. */
export let move: Figures = blank();
/** The number of the last action, from 1. A view renders it as `data-move`: rendered since then, the view stays lit. */
export let moveNumber = 0;
/** The last requests, newest first. */
export const exchanges: Exchange[] = [];

const SHOWN = 60;

export function beginMove(): void {
  move = blank();
  moveNumber++;
  tell();
}

/** Called by a view that renders. */
export function ran(framework: Framework, what: 'list' | 'row'): void {
  total[what][framework]++;
  move[what][framework]++;
  tell();
}

export function tellCommit(written: number): void {
  for (const figures of [total, move]) {
    figures.commits++;
    figures.signals += written;
  }
  tell();
}

export function tellExchange(exchange: Exchange): void {
  exchanges.unshift(exchange);
  exchanges.length = Math.min(exchanges.length, SHOWN);
  for (const figures of [total, move]) figures.requests++;
  tell();
}

const listeners: (() => void)[] = [];
let waiting = false;

export function onTally(listener: () => void): void {
  listeners.push(listener);
}

function tell(): void {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    for (const listener of listeners) listener();
  });
}
