/** Puts scripts into streamed HTML, where no tag is cut: between two flushes of the renderer. */
import type { ServerData } from './ServerData.ts';

// quoted values may hold what would end the tag
const BODY = /<body(?:"[^"]*"|'[^']*'|[^'">])*>/i;
const DOCUMENT = /^\s*<(?:!doctype|html)/i;

/** What stands before the script, and behind it. */
interface Halves {
  readonly before: string;
  readonly after: string;
}

/** One response. Each script stands before the HTML that was made of what it brings. */
export class Splicing {
  readonly #data: ServerData;
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  #begun = false;

  constructor(data: ServerData) {
    this.#data = data;
  }

  /** One flush with its script. */
  splice(chunks: readonly (string | Uint8Array)[]): Uint8Array {
    const html = chunks.map((chunk) =>
      typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true }),
    );
    const { before, after } = this.#halves(html.join(''));
    return this.#encoder.encode(before + this.#data.script() + after);
  }

  /** A document begins with what must come first. */
  #halves(html: string): Halves {
    if (this.#begun) return { before: '', after: html };
    this.#begun = html !== '';
    const body = BODY.exec(html);
    if (body === null)
      return DOCUMENT.test(html) ? { before: html, after: '' } : { before: '', after: html };
    const at = body.index + body[0].length;
    return { before: html.slice(0, at), after: html.slice(at) };
  }
}
