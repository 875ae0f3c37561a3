/** What is done on the page, and when it counts as shown; the same for all apps. */
import { rowId } from './App.ts';
import type { App, Issue, Page } from './App.ts';
import { memory, USERS } from './memory.ts';

/** One change: how it begins, and how the page looks when it is done. */
export interface Step {
  readonly act: () => unknown;
  readonly isShown: () => boolean;
}

export interface Scene {
  /** As the table names it. */
  readonly title: string;
  readonly rows: number;
  /** How many of a list are drawn; default all. */
  readonly limit?: number;
  readonly kind: Page['kind'];
  /** How many steps a page does; `table.ts` says which count. */
  readonly steps: number;
  /** The page is turned to at each step, and away from after it: that is what is measured. */
  readonly turns?: boolean;
  readonly step: (app: App, turn: number, drawn: number) => Step;
}

export const MILESTONE = 1;

/** The issue shown alone and the one that is changed in three views; every tenth part of the rows is pinned there. */
export function idAt(at: number, milestone = MILESTONE): number {
  return milestone * 100_000 + at + 1;
}

export function pageOf(kind: Page['kind'], limit?: number, milestone = MILESTONE): Page {
  return { kind, milestone, detail: idAt(5, milestone), limit };
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

function retitle(app: App, turn: number, drawn: number): Step {
  const id = idAt(spread(turn, drawn));
  const title = `Another title ${turn}`;
  return {
    act: () => app.retitle(id, title),
    isShown: () => shows('open', id, '.title', title),
  };
}

function rename(app: App, turn: number, drawn: number): Step {
  const at = spread(turn, USERS);
  const login = `another-${turn}`;
  const last = idAt(drawn - USERS + at);
  return {
    act: () => app.rename(MILESTONE * 1000 + at + 1, login),
    isShown: () => shows('open', last, 'em', login) && shows('open', idAt(at), 'em', login),
  };
}

/** It goes to another place: between two others. */
function resort(app: App, turn: number, drawn: number): Step {
  const id = idAt(spread(turn, drawn));
  const before = (spread(turn, drawn) + Math.round(drawn / 3)) % drawn;
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

/** One of those that are drawn. */
function some(turn: number, drawn: number): Issue {
  const open = memory.listed({ milestone: MILESTONE, state: 'open' });
  return open[spread(turn, Math.min(open.length, drawn))] as Issue;
}

function remove(app: App, turn: number, drawn: number): Step {
  const issue = some(turn, drawn);
  return { act: () => app.remove(issue), isShown: () => row('open', issue.id) === null };
}

function move(app: App, turn: number, drawn: number): Step {
  const issue = some(turn, drawn);
  return {
    act: () => app.move(issue, 'closed'),
    isShown: () => row('open', issue.id) === null && shows('closed', issue.id, 'i', 'closed'),
  };
}

function turn(app: App, turn: number, drawn: number): Step {
  const milestone = 10 + turn;
  memory.fill(milestone, drawn);
  memory.prepare({ milestone, state: 'open' });
  return {
    act: () => app.show(pageOf('list', undefined, milestone)),
    isShown: () => document.querySelector('#open')?.childElementCount === drawn,
  };
}

const steps = 60;
/** Of a thousand, as many are drawn as a page of a list has. */
const many = { rows: 1000, limit: 100, kind: 'list', steps } as const;

export const scenes: Readonly<Record<string, Scene>> = {
  show100: { title: 'show 100 rows', rows: 100, kind: 'list', steps, turns: true, step: turn },
  show500: { title: 'show 500 rows', rows: 500, kind: 'list', steps, turns: true, step: turn },
  row: { ...many, title: 'change one row (1,000)', step: retitle },
  user: { ...many, title: 'change a shared user (1,000)', step: rename },
  user10000: {
    ...many,
    title: 'change a shared user (10,000)',
    rows: 10_000,
    step: rename,
  },
  sorted: { ...many, title: 'change one row, sorted view', kind: 'sorted', step: resort },
  three: { ...many, title: 'change one row, three views', kind: 'three', step: inThree },
  unshift: { ...many, title: 'unshift', step: unshift },
  delete: { ...many, title: 'delete', step: remove },
  // what is moved comes last in the other list: both are drawn as a whole
  move: { title: 'move', rows: 200, kind: 'two', steps, step: move },
};
