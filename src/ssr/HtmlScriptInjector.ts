/** Inserts scripts into streamed HTML, each before the HTML that was rendered from the data of the script. */
import { warn } from '../errors.ts';
import type { ServerData } from './ServerData.ts';
import { Tokenizer } from './Tokenizer.ts';
import type { TextMode, Tag, TokenSink } from './Tokenizer.ts';

/** The HTML of a response. */
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

  /** A flush, script included, in parts. If no script can be inserted, the data wait for the next flush. */
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
 *   start ──── doctype, <html>, <head>, <body> ───▶ head        a document: behind <body>, before the first token, or
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
  /** The text of an element without markup: the end tag is next. */
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

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

// WHATWG HTML, 13.2.6: a browser that runs scripts reads `noscript` as text
const RAW = set('iframe noembed noframes noscript script style textarea title xmp');
const VOID = set('area base br col embed hr img input link meta param source track wbr');
// a script in a template is inert, a script in SVG is read as markup, and browsers differ about `select`
const FOREIGN = set('math svg');
const HELD = set('select template');
/** Elements of SVG and MathML with children in HTML. */
const INTEGRATION: Readonly<Record<string, ReadonlySet<string>>> = {
  svg: set('desc foreignobject title'),
  math: set('mi mn mo ms mtext'),
};
/** Start tags of HTML that end SVG and MathML. */
const BREAKING = set(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strike strong sub sup table tt u ul var',
);
/** In SVG and MathML, the meaning of these tags depends on more than the name. */
const UNCLEAR = set('annotation-xml font malignmark mglyph');

/** The elements around a position, up to the innermost template: elements around that do not count. */
interface Scope {
  /** An element is of SVG or MathML. */
  readonly hasForeign: boolean;
  /** An element is a `select` of HTML. */
  readonly hasSelect: boolean;
}

interface OpenElement extends Scope {
  readonly name: string;
  /** `svg` or `math`, in an element of either. */
  readonly root: string | undefined;
  /** The children are of SVG or MathML, too. */
  readonly isDeep: boolean;
}

const TEMPLATE: Scope = { hasForeign: false, hasSelect: false };

/**
 * Tracks the elements inside an element in which no script is placed; all others do not matter. The cost of a tag does
 * not depend on the depth.
 */
class OpenElements {
  readonly #open: OpenElement[] = [];
  /** The places of the open elements, by name. */
  readonly #places = new Map<string, number[]>();
  /** True if the markup is malformed, so that browsers may read the rest in several ways. */
  isLost = false;

  /** True if an inserted element would be a child of HTML, and a script would run. */
  get isFree(): boolean {
    return this.#open.length === 0 && !this.isLost;
  }

  /** True in an element of SVG or MathML. */
  get isForeign(): boolean {
    return this.#open.at(-1)?.root !== undefined;
  }

  get #isDeep(): boolean {
    return this.#open.at(-1)?.isDeep === true;
  }

  take({ name, isEnd, isSelfClosing }: Tag): TextMode {
    if (isEnd) this.#close(name);
    else return this.#enter(name, isSelfClosing);
    return 'markup';
  }

  #enter(name: string, isSelfClosing: boolean): TextMode {
    if (BREAKING.has(name)) this.#breakOut();
    const top = this.#open.at(-1);
    const { hasForeign, hasSelect } = this.#scope;
    if (name === 'frameset' || (hasForeign && UNCLEAR.has(name))) this.isLost = true;
    if (top?.isDeep === true) {
      if (!isSelfClosing) this.#push(name, top.root);
      return 'markup';
    }
    const isRaw = RAW.has(name);
    const root = FOREIGN.has(name) ? name : undefined;
    if (hasSelect) {
      if (name === 'select') this.#close(name);
      if (name === 'template') this.#push(name);
      if ((isRaw && name !== 'script') || root !== undefined) this.isLost = true;
    } else if (root === undefined ? this.#isFollowed(name) : !isSelfClosing) this.#push(name, root);
    if (name === 'plaintext') return 'rest';
    return isRaw ? 'raw' : 'markup';
  }

  #isFollowed(name: string): boolean {
    return this.#open.length > 0 ? !VOID.has(name) && !RAW.has(name) : HELD.has(name);
  }

  get #scope(): Scope {
    const top = this.#open.at(-1);
    return top === undefined || top.name === 'template' ? TEMPLATE : top;
  }

  #push(name: string, root?: string): void {
    const isDeep = root !== undefined && INTEGRATION[root]?.has(name) === false;
    const scope = this.#scope;
    const hasForeign = scope.hasForeign || root !== undefined;
    const hasSelect = scope.hasSelect || (root === undefined && name === 'select');
    const places = this.#places.get(name);
    if (places === undefined) this.#places.set(name, [this.#open.length]);
    else places.push(this.#open.length);
    this.#open.push({ name, root, isDeep, hasForeign, hasSelect });
  }

  #pop(): OpenElement {
    const element = this.#open.pop() as OpenElement;
    this.#places.get(element.name)?.pop();
    return element;
  }

  /** The place of the innermost open element of this name; -1: there is none. */
  #placeOf(name: string): number {
    return this.#places.get(name)?.at(-1) ?? -1;
  }

  #breakOut(): void {
    while (this.#isDeep) this.#pop();
  }

  /** Ends the innermost element of this name, and all inner elements. */
  #close(name: string): void {
    if (name === 'p' || name === 'br') this.#breakOut();
    const at = this.#placeOf(name);
    if (at < 0 || at < this.#placeOf('template')) {
      // the end of an untracked element around SVG or MathML ends the inner elements, too
      if (this.#isDeep) this.isLost = true;
      return;
    }
    let isForeign = true;
    let isHtml = true;
    while (this.#open.length > at) {
      const isInner = this.#open.length > at + 1;
      const { root, isDeep } = this.#pop();
      isHtml &&= root === undefined;
      if (isInner) isForeign &&= isDeep;
    }
    if (!isHtml && !isForeign && name !== 'template') this.isLost = true;
  }
}
