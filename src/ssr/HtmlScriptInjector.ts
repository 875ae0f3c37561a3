/** Inserts scripts into streamed HTML, each before the HTML that was rendered from its data. */
import { warn } from '../errors.ts';
import { InsertionPoints } from './InsertionPoints.ts';
import type { ServerData } from './ServerData.ts';

/** The HTML of one response. */
export class HtmlScriptInjector {
  readonly #data: ServerData;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #encoder = new TextEncoder();
  readonly #points = new InsertionPoints();

  constructor(data: ServerData) {
    this.#data = data;
  }

  /** One flush with its script. If no script can be inserted, the data wait for the next flush. */
  inject(chunks: readonly (string | Uint8Array)[]): Uint8Array {
    const pieces = chunks.map((chunk) =>
      typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true }),
    );
    const html = pieces.join('');
    const at = this.#points.next(html);
    if (this.#points.isLost) warn('H4', 'stream', { place: 'svg, math, select or frameset' });
    if (at === undefined) return this.#encoder.encode(html);
    return this.#encoder.encode(html.slice(0, at) + this.#data.script() + html.slice(at));
  }
}
