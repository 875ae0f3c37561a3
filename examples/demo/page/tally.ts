/** Counts what happens: which views ran, what went out, what was written; whoever shows it is told once a frame. */
import type { Exchange } from '../resources.ts';

export type Framework = 'react' | 'preact' | 'solid';
export const frameworks: readonly Framework[] = ['react', 'preact', 'solid'];

export interface Figures {
  requests: number;
  commits: number;
  signals: number;
  /** Runs of a framework's list view and of its row views. */
  readonly list: Record<Framework, number>;
  readonly row: Record<Framework, number>;
}

function blank(): Figures {
  const none = { react: 0, preact: 0, solid: 0 };
  return { requests: 0, commits: 0, signals: 0, list: { ...none }, row: { ...none } };
}

/** Since the page was opened. */
export const total: Figures = blank();
/** Since the last lever was pulled. */
export let move: Figures = blank();
/** The last requests, newest first. */
export const exchanges: Exchange[] = [];

const SHOWN = 60;

export function beginMove(): void {
  move = blank();
  tell();
}

/** A view says that it runs. */
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
