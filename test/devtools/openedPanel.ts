// The panel in a page of happy-dom with frames under the control of the test, read as a user would read the panel.
import type { Controller } from 'signalbox';
import { openPanel } from 'signalbox/devtools/panel';
import type { PanelOptions } from 'signalbox/devtools/panel';
import { onTestFinished, vi } from 'vitest';

export class OpenedPanel {
  readonly close: () => void;
  readonly #due: FrameRequestCallback[] = [];
  /** How many animation frames were requested. */
  frames = 0;

  constructor(controller: Controller, options: PanelOptions = {}) {
    vi.spyOn(window, 'requestAnimationFrame').mockImplementation((draw) => {
      this.frames++;
      return this.#due.push(draw);
    });
    this.close = openPanel(controller, options);
    onTestFinished(this.close);
    this.frame();
  }

  get root(): ShadowRoot {
    return document.querySelector('signalbox-panel')?.shadowRoot as ShadowRoot;
  }

  /** The next frame is drawn. */
  frame(): void {
    for (const draw of this.#due.splice(0)) draw(0);
  }

  all(selector: string): HTMLElement[] {
    return Array.from(this.root.querySelectorAll<HTMLElement>(selector));
  }

  one(selector: string): HTMLElement {
    const [found] = this.all(selector);
    if (found === undefined) throw new Error(`the panel has no ${selector}: ${this.text}`);
    return found;
  }

  get text(): string {
    return wordsOf(this.root);
  }

  /** The rows that are drawn, their cells side by side. */
  get rows(): string[] {
    return this.all('[role=option]').map(wordsOf);
  }

  /** The detail: each line of a table or of facts as a text. */
  get detail(): string {
    return wordsOf(this.one('.detail'));
  }

  /** A line of a table of the detail, by the first cell. */
  line(name: string): string[] | undefined {
    const lines = this.all('.detail tr').map((row) => Array.from(row.children, wordsOf));
    return lines.find(([first]) => first === name);
  }

  get tab(): string {
    return wordsOf(this.one('[role=tab][aria-selected=true]')).replace(/ ?[\d,]+$/, '');
  }

  open(tab: string): void {
    this.press(tab, '[role=tab]');
  }

  /** Presses the button that begins with these words, and draws a frame. */
  press(words: string, among = 'button'): void {
    const found = this.all(among).find((each) => wordsOf(each).startsWith(words));
    if (found === undefined) throw new Error(`nothing to press says ${words}: ${this.text}`);
    found.click();
    this.frame();
  }

  choose(words: string): void {
    this.press(words, '[role=option]');
  }

  key(selector: string, key: string): void {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, composed: true });
    this.one(selector).dispatchEvent(event);
    this.frame();
  }

  filter(text: string): void {
    const input = this.one('input') as HTMLInputElement;
    input.value = text;
    input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    this.frame();
  }
}

/** The texts of the innermost elements, separated by a space. */
function wordsOf(node: Node): string {
  const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  while (walk.nextNode() !== null) texts.push((walk.currentNode.nodeValue ?? '').trim());
  return texts.filter((text) => text !== '').join(' ');
}
