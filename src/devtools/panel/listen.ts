/** Passes the user's events on the panel to it, and keeps them from the page. */
import type { Panel } from './Panel.ts';

// events that pages listen to at their document: shortcuts, "click elsewhere to close"
const kept = [
  'click',
  'pointerdown',
  'mousedown',
  'keydown',
  'keyup',
  'keypress',
  'input',
  'change',
];

const STEP = 24;
const PAGE = 10;

/** The listeners are on elements of the panel only, and are collected with them. */
export function listen(root: ShadowRoot, panel: Panel): void {
  root.addEventListener('click', (event) => {
    const pressed = (event.target as Element).closest<HTMLElement>('[data-do]');
    const { do: what, about = '' } = pressed?.dataset ?? {};
    if (what !== undefined) panel.act(what, about);
  });
  root.addEventListener('input', ({ target }) => panel.filter((target as HTMLInputElement).value));
  root.addEventListener('keydown', (event) => pressed(event as KeyboardEvent, panel));
  // scroll events do not bubble
  root.addEventListener('scroll', ({ target }) => scrolled(target as Element, panel), true);
  root.addEventListener('pointerdown', (event) => drag(event as PointerEvent, panel));
  for (const name of kept) root.addEventListener(name, (event) => event.stopPropagation());
}

function scrolled(place: Element, panel: Panel): void {
  if (place.classList.contains('rows')) panel.scrolled(place.scrollTop);
}

/** https://www.w3.org/WAI/ARIA/apg/patterns/tabs, …/listbox, …/windowsplitter */
function pressed(event: KeyboardEvent, panel: Panel): void {
  const place = event.target as Element;
  const steps = stepsOf(place.getAttribute('role'), panel);
  const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
  if (step === undefined) return;
  event.preventDefault();
  step();
}

type Steps = Readonly<Record<string, () => void>>;

function stepsOf(role: string | null, panel: Panel): Steps {
  const { tab, height } = panel.standing;
  if (role === 'tab')
    return {
      ArrowLeft: () => panel.open(tab - 1),
      ArrowRight: () => panel.open(tab + 1),
      Home: () => panel.open(0),
      End: () => panel.open(panel.tabs - 1),
    };
  if (role === 'listbox')
    return {
      ArrowUp: () => panel.move(-1),
      ArrowDown: () => panel.move(1),
      PageUp: () => panel.move(-PAGE),
      PageDown: () => panel.move(PAGE),
      Home: () => panel.move(-Infinity),
      End: () => panel.move(Infinity),
    };
  if (role === 'separator')
    return {
      ArrowUp: () => panel.resize(height + STEP),
      ArrowDown: () => panel.resize(height - STEP),
    };
  return {};
}

/** Resizes the panel while the pointer drags the grip. */
function drag(event: PointerEvent, panel: Panel): void {
  const grip = event.target as HTMLElement;
  if (!grip.classList.contains('grip')) return;
  event.preventDefault();
  const from = event.clientY + panel.standing.height;
  const follow = ({ clientY }: PointerEvent) => panel.resize(from - clientY);
  grip.setPointerCapture(event.pointerId);
  grip.addEventListener('pointermove', follow);
  grip.addEventListener('lostpointercapture', () =>
    grip.removeEventListener('pointermove', follow),
  );
}
