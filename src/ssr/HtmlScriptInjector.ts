/** Inserts scripts into streamed HTML, each before the HTML that was rendered from its data. */
import { warn } from '../errors.ts';
import type { ServerData } from './ServerData.ts';
import { OpenElements } from './OpenElements.ts';
import { Tokenizer } from './Tokenizer.ts';
import type { TextMode, Tag, TokenSink } from './Tokenizer.ts';

/** The HTML of one response. */
export class HtmlScriptInjector {
  readonly #data: ServerData;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #encoder = new TextEncoder();
  readonly #points = new InsertionPoints();
  /** The HTML of the next flush. */
  #html = '';

  constructor(data: ServerData) {
    this.#data = data;
  }

  /** Adds a chunk to the next flush. A renderer may reuse the memory of `chunk`. */
  add(chunk: string | Uint8Array): void {
    this.#html += typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true });
  }

  /** One flush with its script, in parts. If no script can be inserted, the data wait for the next flush. */
  flush(): Uint8Array[] {
    const html = this.#html;
    this.#html = '';
    const at = this.#points.next(html);
    if (this.#points.isLost) warn('H4', 'stream', { place: 'svg, math, select or frameset' });
    const parts =
      at === undefined ? [html] : [html.slice(0, at), this.#data.script(), html.slice(at)];
    return parts.filter((part) => part !== '').map((part) => this.#encoder.encode(part));
  }
}

/** Start tags that leave the head open. */
const HEAD = new Set(
  'base basefont bgsound head html link meta noframes noscript script style template title'.split(
    ' ',
  ),
);
/** A newline after these start tags is not part of their text. */
const PREFORMATTED = new Set(['listing', 'pre']);

/*
 *   start ──── doctype, <html>, <head>, <body> ───▶ head        a document: behind <body>, before its first token, or
 *     │                                              │          at the end of a piece that has begun the head
 *     └── all else: a fragment ──▶ body ◀── <body> ──┘          everywhere before and behind tags and comments
 */
type Phase = 'start' | 'head' | 'body';

class InsertionPoints implements TokenSink {
  readonly #elements = new OpenElements();
  readonly #tokens = new Tokenizer(this);
  #phase: Phase = 'start';
  #hasHead = false;
  /** The last token is text: an inserted element would split the text. */
  #isText = false;
  /** The text of an element without markup: its end tag is next. */
  #isRaw = false;
  /** The beginning of the piece, if an element can be inserted there. */
  #begin = -1;
  #found: number | undefined;
  /** The rest of the last piece behind the position: read only if another piece follows. */
  #unread = '';

  /** Undefined if there is no position: inside a tag, a text, a script, a comment, a template. */
  next(piece: string): number | undefined {
    this.#tokens.read(this.#unread, false);
    this.#found = undefined;
    this.#begin = this.#isBetween ? 0 : -1;
    if (this.#phase === 'body') this.#offer(this.#begin);
    this.#unread = this.#tokens.read(piece, true);
    if (this.#phase === 'head' && this.#hasHead && this.#isBetween) this.#offer(piece.length);
    return this.#found;
  }

  /** True if nothing more can be inserted, because the markup is malformed. */
  get isLost(): boolean {
    return this.#elements.isLost;
  }

  get isForeign(): boolean {
    return this.#elements.isForeign;
  }

  get isDone(): boolean {
    return this.#found !== undefined;
  }

  get #isBetween(): boolean {
    return this.#tokens.isBetween && !this.#isText;
  }

  #offer(at: number): void {
    if (at >= 0 && this.#elements.isFree) this.#found ??= at;
  }

  text(text: string, start: number): void {
    // a byte order mark may precede the document
    const isSpace = /^[\t\n\f\r \uFEFF]*$/.test(text);
    if (this.#phase === 'body') this.#isText = true;
    else if (!isSpace && this.#elements.isFree) {
      this.#enterBody(start);
      this.#isText = true;
    }
  }

  /** Called before the first token of the body. */
  #enterBody(start: number): void {
    this.#offer(this.#phase === 'start' && this.#begin === 0 ? 0 : start);
    this.#phase = 'body';
  }

  declaration(isDoctype: boolean, start: number, end: number): void {
    if (isDoctype && this.#phase === 'start') this.#phase = 'head';
    if (this.#phase !== 'body') return;
    this.#offer(start);
    this.#isText = false;
    this.#offer(end);
  }

  tag(tag: Tag, start: number, end: number): TextMode {
    const { name, isEnd } = tag;
    if (!this.#isRaw) this.#place(tag, start);
    const content = this.#elements.take(tag);
    this.#isRaw = content === 'raw';
    if (this.#phase !== 'body') return content;
    this.#isText = !isEnd && PREFORMATTED.has(name);
    if (content === 'markup' && !this.#isText) this.#offer(end);
    return content;
  }

  #place({ name, isEnd }: Tag, start: number): void {
    const isStart = this.#phase === 'start';
    if (this.#phase === 'body') return this.#offer(start);
    if (!this.#elements.isFree) return;
    const isBody = name === 'body' && !isEnd;
    if (isBody) this.#phase = 'body';
    else if (isStart ? isEnd || !/^(?:html|head)$/.test(name) : !isEnd && !HEAD.has(name))
      this.#enterBody(start);
    else {
      this.#phase = 'head';
      this.#hasHead ||= !isEnd && name !== 'html';
    }
  }
}
