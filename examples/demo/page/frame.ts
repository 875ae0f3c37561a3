/** Draws the lever frame, and says what the last lever did. */
import { NetworkError } from 'signalbox';
import { levers, type Lever } from './levers.ts';
import { byId, element, light } from './panel.ts';
import { beginMove, move, onTally } from './tally.ts';

export function showFrame(): void {
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

/** Does it and counts from zero what it causes. */
export async function pull({
  title,
  says,
  act,
}: Pick<Lever, 'title' | 'says' | 'act'>): Promise<void> {
  beginMove();
  begun = true;
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

/** The strip knows how many moves are under way. */
function pending(change: 1 | -1): void {
  under += change;
  document.querySelector('.move')?.toggleAttribute('data-pending', under > 0);
}

function wordsOf(error: unknown): string {
  if (error instanceof NetworkError)
    return `the answer was ${error.status}: who asked is told, and nobody else`;
  return error instanceof Error ? error.message : String(error);
}

let begun = false;

function say(title: string, why: string, failed = false): void {
  const strip = document.querySelector('.move');
  strip?.toggleAttribute('data-failed', failed);
  byId('move-title').textContent = title;
  byId('move-why').textContent = why;
  if (!failed) light(strip);
}

function showSums(): void {
  if (!begun) return;
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
