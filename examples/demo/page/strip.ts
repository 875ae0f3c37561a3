/** Three columns and a few actions that play in turn; an action of the reader ends the play. */
import { pull } from './frame.ts';
import { levers, type Lever } from './levers.ts';
import { byId, element, showColumnRuns, showTabs } from './panel.ts';
import { mountPreact } from './PreactColumn.tsx';
import { mountReact } from './ReactColumn.tsx';
import { mountSolid } from './SolidColumn.ts';
import { onTally, tellCommit, total } from './tally.ts';
import { controller } from './world.ts';

const PAUSE_MS = 2600;
const played = ['Toggle a row', 'Rename an author', 'Rename a row', 'Fetch the list'];
const offered = [...played, 'Add a row', 'Delete a row'];

const leverOf = (title: string): Lever => levers.find((lever) => lever.title === title) as Lever;

export function playStrip(): void {
  controller.on('commit', ({ written }) => tellCommit(written));
  showTabs();
  onTally(showColumnRuns);
  onTally(() => (byId('requests').textContent = String(total.requests)));
  mountReact(byId('react'));
  mountPreact(byId('preact'));
  mountSolid(byId('solid'));
  const stop = playInTurn();
  document.addEventListener('pointerdown', stop, { once: true });
  document.addEventListener('keydown', stop, { once: true });
  document.querySelector('.frame')?.append(...offered.map((title) => buttonOf(leverOf(title))));
}

function buttonOf(lever: Lever): HTMLElement {
  const button = element('button', 'action', lever.title) as HTMLButtonElement;
  button.type = 'button';
  button.addEventListener('click', () => void pull(lever));
  return button;
}

/** Returns the function to stop. No action runs while the page is hidden, or for readers who want no motion. */
function playInTurn(): () => void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return () => {};
  let turn = 0;
  const timer = setInterval(() => {
    if (!document.hidden) void pull(leverOf(played[turn++ % played.length] as string));
  }, PAUSE_MS);
  return () => clearInterval(timer);
}
