/** Opens and removes the panel of a page. */
import type { Controller } from '../../Controller.ts';
import { SignalboxError } from '../../errors.ts';
import { Panel } from './Panel.ts';
import { panelStyles } from './panelStyles.ts';
import { PanelState } from './PanelState.ts';
import type { PanelStorage } from './PanelState.ts';

/** The place, the first state and the storage of the panel. */
export interface PanelOptions {
  /** The parent, of which the panel becomes the last child. Default: the body of the page. */
  readonly target?: Element | ShadowRoot | undefined;
  /** The panel starts as a small button. Default false. */
  readonly collapsed?: boolean | undefined;
  /** The panel starts as a window in the corner; false: at the bottom of the page, which gets as much more space. Default false. */
  readonly floating?: boolean | undefined;
  /** In pixels. Default 320. */
  readonly height?: number | undefined;
  /** How many requests and commits the timeline remembers. Default 200. */
  readonly most?: number | undefined;
  /** True: a collapsed panel records, too, and so shows the time before the opening. Default false. */
  readonly always?: boolean | undefined;
  /** Stores the tab, the height, and whether the panel floats or is collapsed, as `localStorage` does. Default: none. */
  readonly storage?: PanelStorage | undefined;
}

/**
 * `const close = openPanel(controller)`: a panel at the bottom of the page shows entities, requests, optimistic layers,
 * and a timeline: which request wrote which field, the readers of each, and the readers that each commit notified. The
 * panel sends no requests, protects nothing from garbage collection, and does not count as a reader. A collapsed panel
 * does nothing. The panel is in a shadow root with constructed style sheets, which a policy of `default-src 'self'`
 * allows. Returns a function that removes the panel. Without a page nothing happens. Throws D1 if `target` cannot have
 * children.
 */
export function openPanel(controller: Controller, options: PanelOptions = {}): () => void {
  const { target = documentBody(), collapsed = false, floating = false } = options;
  const { height = 320, storage, most = 200, always = false } = options;
  if (target === undefined) return () => {};
  const page = documentOf(target);
  const view = page?.defaultView;
  if (page === undefined || !view) throw new SignalboxError('D1', { target });
  const host = page.createElement('signalbox-panel');
  const root = host.attachShadow({ mode: 'open' });
  const style = new view.CSSStyleSheet();
  const figures = new view.CSSStyleSheet();
  style.replaceSync(panelStyles);
  root.adoptedStyleSheets = [style, figures];
  target.append(host);
  const standing = new PanelState({ collapsed, floating, height, storage });
  const panel = new Panel(controller, { root, figures, standing, most, always });
  listen(root, panel);
  return () => {
    panel.close();
    host.remove();
  };
}

/** The body at the time of the call; a script in the head runs before the body exists. */
function documentBody(): Element | undefined {
  const { document: page } = globalThis as { readonly document?: Document };
  return page?.body ?? page?.documentElement;
}

const ELEMENT = 1;
const FRAGMENT = 11;

/** Undefined if `target` cannot have children; `target` may belong to another window. */
function documentOf(
  target: unknown,
): (Document & { defaultView: (Window & typeof globalThis) | null }) | undefined {
  const { nodeType, ownerDocument } = (target ?? {}) as Partial<Node>;
  return nodeType === ELEMENT || nodeType === FRAGMENT ? (ownerDocument ?? undefined) : undefined;
}

// events that pages listen to at their document: shortcuts, "click elsewhere to close"
const KEPT_EVENTS = [
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

/** The listeners are on elements of the panel only, and are collected with these elements. */
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
  for (const name of KEPT_EVENTS) root.addEventListener(name, (event) => event.stopPropagation());
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
