/** Opens the panel in a page, and removes it. */
import type { Controller } from '../../Controller.ts';
import { SignalboxError } from '../../errors.ts';
import { listen } from './listen.ts';
import { Panel } from './Panel.ts';
import { panelStyles } from './panelStyles.ts';
import { PanelState } from './PanelState.ts';
import type { PanelStorage } from './PanelState.ts';

/** The place and the first state of the panel, and its storage. */
export interface PanelOptions {
  /** The parent of the panel, which becomes its last child. Default: the body of the page. */
  readonly target?: Element | ShadowRoot | undefined;
  /** The panel starts as a small button. Default false. */
  readonly collapsed?: boolean | undefined;
  /** In pixels. Default 320. */
  readonly height?: number | undefined;
  /** How many requests and commits the timeline remembers. Default 200. */
  readonly most?: number | undefined;
  /** True: a collapsed panel records, too, so that it shows the time before it was opened. Default false. */
  readonly always?: boolean | undefined;
  /** Stores the tab, the height and the collapsed state, as `localStorage` does. Default: they are not stored. */
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
  const { target = bodyHere(), collapsed = false, height = 320, storage } = options;
  const { most = 200, always = false } = options;
  if (target === undefined) return () => {};
  const page = pageOf(target);
  const view = page?.defaultView;
  if (page === undefined || !view) throw new SignalboxError('D1', { target });
  const host = page.createElement('signalbox-panel');
  const root = host.attachShadow({ mode: 'open' });
  const style = new view.CSSStyleSheet();
  const figures = new view.CSSStyleSheet();
  style.replaceSync(panelStyles);
  root.adoptedStyleSheets = [style, figures];
  target.append(host);
  const standing = new PanelState(collapsed, height, storage);
  const panel = new Panel(controller, { root, figures, standing, most, always });
  listen(root, panel);
  return () => {
    panel.close();
    host.remove();
  };
}

/** The body at the time of the call; a script in the head runs before there is one. */
function bodyHere(): Element | undefined {
  const { document: page } = globalThis as { readonly document?: Document };
  return page?.body ?? page?.documentElement;
}

const ELEMENT = 1;
const FRAGMENT = 11;

/** Undefined if `target` cannot have children; `target` may belong to another window. */
function pageOf(
  target: unknown,
): (Document & { defaultView: (Window & typeof globalThis) | null }) | undefined {
  const { nodeType, ownerDocument } = (target ?? {}) as Partial<Node>;
  return nodeType === ELEMENT || nodeType === FRAGMENT ? (ownerDocument ?? undefined) : undefined;
}
