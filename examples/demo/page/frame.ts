/** Renders the actions, and the effect of the last one. */
import { NetworkError } from 'signalbox';
import { levers, type Lever } from './levers.ts';
import { byId, element, light } from './panel.ts';
import { beginMove, move, moveNumber, onTally } from './tally.ts';

/** One rule: the views that rendered since the last action are lit. */
const lit = new CSSStyleSheet();

export function showFrame(): void {
  document.adoptedStyleSheets.push(lit);
  const frame = document.querySelector('.frame');
  frame?.append(...levers.map(draw));
  onTally(showSums);
}

function draw(lever: Lever, at: number): HTMLElement {
  const button = element('button', 'lever') as HTMLButtonElement;
  button.type = 'button';
  button.dataset['method'] = lever.method;
  const plate = element('span', 'plate', String(at + 1));
  const method = element('span', 'method', lever.method);
  const head = element('span', 'head');
  head.append(plate, method);
  button.append(head, element('b', '', lever.title), element('small', '', lever.says));
  button.addEventListener('click', () => {
    button.setAttribute('data-pulled', '');
    void pull(lever).finally(() => button.removeAttribute('data-pulled'));
  });
  return button;
}

/** Runs an action, and counts its effects from zero. */
export async function pull({
  title,
  says,
  act,
}: Pick<Lever, 'title' | 'says' | 'act'>): Promise<void> {
  beginMove();
  lit.replaceSync(`[data-move='${moveNumber}'] { --ran: var(--lit) }`);
  say(title, says);
  pending(1);
  try {
    await act();
  } catch (error) {
    say(title, wordsOf(error), true);
  } finally {
    pending(-1);
  }
}

let under = 0;

/** Marks the strip while actions are pending. */
function pending(change: 1 | -1): void {
  under += change;
  document.querySelector('.move')?.toggleAttribute('data-pending', under > 0);
}

function wordsOf(error: unknown): string {
  if (error instanceof NetworkError)
    return `response ${error.status}: the promise rejects, nothing re-renders`;
  return error instanceof Error ? error.message : String(error);
}

function say(title: string, why: string, failed = false): void {
  const strip = document.querySelector('.move');
  strip?.toggleAttribute('data-failed', failed);
  byId('move-title').textContent = title;
  byId('move-why').textContent = why;
  if (!failed) light(strip);
}

function showSums(): void {
  if (moveNumber === 0) return;
  const { requests, commits, signals } = move;
  const parts = [
    [requests, 'request'],
    [commits, 'commit'],
    [signals, 'signal'],
  ] as const;
  byId('move-sums').textContent = parts
    .map(([n, what]) => `${n} ${what}${n === 1 ? '' : 's'}`)
    .join(' · ');
}
