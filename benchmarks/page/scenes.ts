/** What is done on the page, and when it counts as shown; the same for all apps. */
import { rowId } from './App.ts';
import type { App, Issue, Page } from './App.ts';
import { memory } from './memory.ts';

/** One change: how it begins, and how the page looks when it is done. */
export interface Step {
  readonly act: () => unknown;
  readonly isShown: () => boolean;
}

export interface Scene {
  /** As the table names it. */
  readonly title: string;
  readonly rows: number;
  readonly kind: Page['kind'];
  /** How many steps a page does. The first one is kept apart: it runs code that was never run. */
  readonly steps: number;
  /** The page is turned to at each step, and away from after it: that is what is measured. */
  readonly turns?: boolean;
  readonly step: (app: App, turn: number) => Step;
}

export const MILESTONE = 1;

/** The issue shown alone and the one that is changed in three views; every tenth part of the rows is pinned there. */
export function idAt(at: number, milestone = MILESTONE): number {
  return milestone * 100_000 + at + 1;
}

export function pageOf(kind: Page['kind'], milestone = MILESTONE): Page {
  return { kind, milestone, detail: idAt(5, milestone) };
}

function row(list: string, id: number): HTMLElement | null {
  return document.getElementById(rowId(list, id));
}

function shows(list: string, id: number, tag: string, text: string): boolean {
  return row(list, id)?.querySelector(tag)?.textContent === text;
}

/** Far apart, so that no step profits from the one before. */
function spread(turn: number, rows: number): number {
  return (turn * 37 + 11) % rows;
}

function retitle(rows: number): Scene['step'] {
  return (app, turn) => {
    const id = idAt(spread(turn, rows));
    const title = `Another title ${turn}`;
    return {
      act: () => app.retitle(id, title),
      isShown: () => shows('open', id, '.title', title),
    };
  };
}

function rename(rows: number): Scene['step'] {
  const users = Math.max(1, Math.round(rows / 100));
  return (app, turn) => {
    const at = spread(turn, users);
    const login = `another-${turn}`;
    const last = idAt(rows - users + at);
    return {
      act: () => app.rename(MILESTONE * 1000 + at + 1, login),
      isShown: () => shows('open', last, 'em', login) && shows('open', idAt(at), 'em', login),
    };
  };
}

/** It goes to another place: between two others. */
function resort(rows: number): Scene['step'] {
  return (app, turn) => {
    const id = idAt(spread(turn, rows));
    const before = (spread(turn, rows) + Math.round(rows / 3)) % rows;
    const title = `Issue ${String(before).padStart(6, '0')} and ${turn}`;
    return {
      act: () => app.retitle(id, title),
      isShown: () => {
        const here = row('open', id);
        const [left, right] = [here?.previousElementSibling, here?.nextElementSibling].map(
          (other) => other?.querySelector('.title')?.textContent,
        );
        return (
          shows('open', id, '.title', title) &&
          (left === undefined || left === null || left < title) &&
          (right === undefined || right === null || right > title)
        );
      },
    };
  };
}

function inThree(app: App, turn: number): Step {
  const id = idAt(5);
  const title = `Seen thrice ${turn}`;
  return {
    act: () => app.retitle(id, title),
    isShown: () => ['open', 'pinned', 'detail'].every((list) => shows(list, id, '.title', title)),
  };
}

function unshift(app: App, turn: number): Step {
  const [first] = memory.listed({ milestone: MILESTONE, state: 'open' }) as [Issue];
  const issue = { ...first, id: idAt(90_000 + turn), title: `New ${turn}`, pinned: false };
  return {
    act: () => app.unshift(issue),
    isShown: () => row('open', issue.id)?.previousElementSibling === null,
  };
}

/** Not the first, not the last. */
function some(turn: number): Issue {
  const open = memory.listed({ milestone: MILESTONE, state: 'open' });
  return open[spread(turn, open.length)] as Issue;
}

function remove(app: App, turn: number): Step {
  const issue = some(turn);
  return { act: () => app.remove(issue), isShown: () => row('open', issue.id) === null };
}

function move(app: App, turn: number): Step {
  const issue = some(turn);
  return {
    act: () => app.move(issue, 'closed'),
    isShown: () => row('open', issue.id) === null && shows('closed', issue.id, 'i', 'closed'),
  };
}

function turn(rows: number): Scene['step'] {
  return (app, turn) => {
    const milestone = 10 + turn;
    memory.fill(milestone, rows);
    memory.prepare({ milestone, state: 'open' });
    return {
      act: () => app.show(pageOf('list', milestone)),
      isShown: () => document.querySelector('#open')?.childElementCount === rows,
    };
  };
}

const steps = 15;
const plain = { rows: 1000, kind: 'list', steps } as const;

export const scenes: Readonly<Record<string, Scene>> = {
  show100: { ...plain, title: 'show 100 rows', rows: 100, turns: true, step: turn(100) },
  show500: { ...plain, title: 'show 500 rows', rows: 500, turns: true, step: turn(500) },
  row: { ...plain, title: 'change one row (1,000 mounted)', step: retitle(1000) },
  user: { ...plain, title: 'change a shared user (1,000)', step: rename(1000) },
  user10000: {
    ...plain,
    title: 'change a shared user (10,000)',
    rows: 10_000,
    steps: 9,
    step: rename(10_000),
  },
  sorted: { ...plain, title: 'change one row, sorted view', kind: 'sorted', step: resort(1000) },
  three: { ...plain, title: 'change one row, three views', kind: 'three', step: inThree },
  unshift: { ...plain, title: 'unshift', step: unshift },
  delete: { ...plain, title: 'delete', step: remove },
  move: { ...plain, title: 'move', kind: 'two', step: move },
};
