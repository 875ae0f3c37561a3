/** Puts the panel into a page, and takes it out again. */
import type { Controller } from '../../Controller.ts';
import { SignalboxError } from '../../diagnostics.ts';
import { listen } from './listen.ts';
import { Panel } from './Panel.ts';
import { panelStyles } from './panelStyles.ts';
import { Standing } from './Standing.ts';
import type { PanelStorage } from './Standing.ts';

/** Where the panel stands, how it begins, and what it remembers. */
export interface PanelOptions {
  /** What it is put into, as the last child. Default: the body of the page. */
  readonly target?: Element | ShadowRoot | undefined;
  /** It begins as a small button. Default false. */
  readonly collapsed?: boolean | undefined;
  /** In pixels. Default 320. */
  readonly height?: number | undefined;
  /** How many requests and commits the timeline remembers. Default 200. */
  readonly most?: number | undefined;
  /** It records while it is collapsed, too, so that it knows what was before it was opened. Default false. */
  readonly always?: boolean | undefined;
  /** Where the tab, the height and whether it is collapsed are remembered, as `localStorage`. Default: nowhere. */
  readonly storage?: PanelStorage | undefined;
}

/**
 * `const close = openPanel(controller)`: a panel at the bottom of the page shows entities, requests, unconfirmed layers, and
 * what happened: who wrote what, who reads it, and whom each commit woke. It asks for nothing, keeps nothing from being
 * swept, and is no reader of anything. Collapsed, it does nothing at all. It stands in a shadow root with constructed style
 * sheets, so a policy of `default-src 'self'` lets it be. Gives back how to take it out of the page.
 * Where there is no page nothing happens. Throws D1 where `target` is nothing to put it into.
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
  const standing = new Standing(collapsed, height, storage);
  const panel = new Panel(controller, { root, figures, standing, most, always });
  listen(root, panel);
  return () => {
    panel.close();
    host.remove();
  };
}

/** The page as it is when it is asked; a script in the head comes before the body. */
function bodyHere(): Element | undefined {
  const { document: page } = globalThis as { readonly document?: Document };
  return page?.body ?? page?.documentElement;
}

const ELEMENT = 1;
const FRAGMENT = 11;

/** Undefined for what cannot have children; `target` may be of another window. */
function pageOf(
  target: unknown,
): (Document & { defaultView: (Window & typeof globalThis) | null }) | undefined {
  const { nodeType, ownerDocument } = (target ?? {}) as Partial<Node>;
  return nodeType === ELEMENT || nodeType === FRAGMENT ? (ownerDocument ?? undefined) : undefined;
}
