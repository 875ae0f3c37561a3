/** The parts around the columns: the figures, the tabs, the lines from the store, the request log. */
import type { Exchange } from '../resources.ts';
import {
  exchanges,
  frameworks,
  move,
  onTally,
  total,
  type Figures,
  type Framework,
} from './tally.ts';

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

export function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Alternates between two animations with one look: an element that is lit again restarts its animation. */
export function light(lit: Element | null): void {
  lit?.setAttribute('data-beat', lit.getAttribute('data-beat') === '0' ? '1' : '0');
}

export function showPanel(): void {
  showTabs();
  onTally(showFigures);
  onTally(showColumnRuns);
  onTally(showLog);
}

function showFigures(): void {
  byId('requests').textContent = String(total.requests);
  byId('commits').textContent = String(total.commits);
  byId('signals').textContent = String(total.signals);
  byId('views').textContent = String(frameworks.reduce((sum, name) => sum + runs(total, name), 0));
}

/** Narrow windows show one column; its tab chooses it. */
export function showTabs(): void {
  const columns = document.querySelector<HTMLElement>('.columns');
  const tabs = [...document.querySelectorAll<HTMLElement>('.tabs button')];
  const choose = (name: string | undefined) => {
    if (columns) columns.dataset['chosen'] = name;
    for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.dataset['of'] === name));
  };
  for (const tab of tabs) tab.addEventListener('click', () => choose(tab.dataset['of']));
  choose(tabs[0]?.dataset['of']);
}

function runs(figures: Figures, framework: Framework): number {
  return figures.list[framework] + figures.row[framework];
}

const lit: Record<Framework, number> = { react: 0, preact: 0, solid: 0 };

export function showColumnRuns(): void {
  for (const framework of frameworks) {
    const place = document.querySelector(`[data-ran="${framework}"]`);
    const what = framework === 'solid' ? 'effect' : 'render';
    place?.replaceChildren(
      ...sum(move.row[framework], `row ${what}`),
      '\n',
      ...sum(move.list[framework], `list ${what}`),
    );
    const tab = document.querySelector(`.tabs [data-of="${framework}"] b`);
    if (tab) tab.textContent = String(runs(move, framework));
    const seen = runs(total, framework);
    if (seen !== lit[framework]) light(document.querySelector(`[data-track="${framework}"]`));
    lit[framework] = seen;
  }
}

/** `1 row render`; the number is lit unless it is 0. */
function sum(n: number, what: string): (Node | string)[] {
  const plural = `${what}${n === 1 ? ' ' : 's'}`;
  return [n === 0 ? '0' : element('b', '', String(n)), ` ${plural}`];
}

function showLog(): void {
  const log = byId('log');
  const [newest] = exchanges;
  if (newest === shown) return;
  const fresh = shown === undefined ? exchanges : exchanges.slice(0, exchanges.indexOf(shown));
  shown = newest;
  log.prepend(...fresh.map(line));
  while (log.childElementCount > exchanges.length) log.lastElementChild?.remove();
}

let shown: Exchange | undefined;

function line({ method, path, status, ms }: Exchange): HTMLElement {
  const entry = element('li', '');
  const verb = element('span', 'method', method);
  verb.dataset['method'] = method;
  const answer = element(
    'span',
    'answer',
    `${status === 0 ? 'none' : status} ${Math.round(ms)} ms`,
  );
  answer.toggleAttribute('data-bad', status < 200 || status >= 300);
  const address = element('span', 'path', path);
  address.title = path;
  entry.append(verb, address, answer);
  light(entry);
  return entry;
}
