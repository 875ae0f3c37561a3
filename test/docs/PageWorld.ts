// The environment of the blocks of a page: a server, a controller, an element to draw on, and checks.
import { expect, vi } from 'vitest';
import { Controller, optimistic } from 'signalbox';
import { lineOf } from './FakeConnection.ts';
import { Server } from './Server.ts';

/** Mounts the result of `make`, below a provider and a boundary; returns a function to unmount. */
export type Mount = (
  controller: Controller,
  make: () => unknown,
  root: HTMLElement,
) => (() => void) | Promise<() => void>;

const PATIENCE = { timeout: 5_000, interval: 10 };

/** The element that a framework draws on. */
export class Drawing {
  readonly #mount: Mount;
  #root: HTMLElement | undefined;
  #unmount: (() => void) | undefined;

  constructor(mount: Mount) {
    this.#mount = mount;
  }

  /** Mounts in place of the former content, and waits for the HTML, or else for anything but the fallback. */
  async draw(
    controller: Controller,
    make: () => unknown,
    html: string | undefined,
    place: string,
  ): Promise<void> {
    this.clear();
    this.#root = document.body.appendChild(document.createElement('main'));
    this.#unmount = await this.#mount(controller, make, this.#root);
    if (html !== undefined) return this.shows(html, place);
    await vi.waitFor(
      () => check(['', '<i>loading</i>'].includes(this.html), false, place),
      PATIENCE,
    );
  }

  get html(): string {
    return (this.#root?.innerHTML ?? '').replace(/<!--.*?-->/g, '');
  }

  /** The whole HTML, or the text if no tag is expected. */
  async shows(html: string, place = 'page.shows'): Promise<void> {
    const shown = () => (html.includes('<') ? this.html : this.#root?.textContent);
    await vi.waitFor(() => check(shown(), html, place), PATIENCE);
  }

  async click(selector: string): Promise<void> {
    this.#find(selector).click();
  }

  async type(selector: string, text: string): Promise<void> {
    const input = this.#find(selector) as HTMLInputElement;
    // past the output of frameworks before the block
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }

  #find(selector: string): HTMLElement {
    const found = this.#root?.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(`nothing fits ${selector} in ${this.html}`);
    return found;
  }

  clear(): void {
    this.#unmount?.();
    this.#root?.remove();
  }
}

export interface Stage {
  readonly check: (value: unknown, expected: unknown, place: string) => void;
  readonly thrown: (work: () => unknown, words: string, place: string) => Promise<void>;
  readonly page: Drawing;
  readonly server: Server;
  readonly controller: Controller;
}

/** The environment of a page; from now on `fetch` calls the server of the page. */
export function stage(mount: Mount): Stage {
  const server = new Server();
  vi.stubGlobal('fetch', server.fetch);
  const Line = lineOf(server);
  vi.stubGlobal('EventSource', Line);
  vi.stubGlobal('WebSocket', Line);
  return {
    check,
    thrown,
    page: new Drawing(mount),
    server,
    controller: new Controller({ optimistic }),
  };
}

function check(value: unknown, expected: unknown, place: string): void {
  expect({ [place]: plain(value) }).toEqual({ [place]: plain(expected) });
}

/** `throws R1`, `throws NetworkError 404`: each word is the error's code, name, status or message. */
async function thrown(work: () => unknown, words: string, place: string): Promise<void> {
  const error = (await Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    )) as { code?: string; name?: string; status?: number; message?: string } | undefined;
  const { code, name, status, message } = error ?? {};
  const said = [code, name, String(status), message];
  const missing = said.includes(words)
    ? []
    : words.split(' ').filter((word) => !said.includes(word));
  expect({ [place]: said, missing }).toEqual({ [place]: said, missing: [] });
}

/** Instances as plain objects: examples show the fields. */
function plain(value: unknown, above: readonly unknown[] = []): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Error || above.includes(value)) return value;
  const inside = [...above, value];
  if (Array.isArray(value)) return value.map((one) => plain(one, inside));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, inside)]));
}
