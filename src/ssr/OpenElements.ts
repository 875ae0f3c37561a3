/** The open elements in which our script must not be placed, and how the text behind a start tag is read. */
import type { TextMode, Tag } from './Tokenizer.ts';

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
  /** One of them is of SVG or MathML. */
  readonly hasForeign: boolean;
  /** One of them is a `select` of HTML. */
  readonly hasSelect: boolean;
}

interface OpenElement extends Scope {
  readonly name: string;
  /** `svg` or `math`, in an element of one of them. */
  readonly root: string | undefined;
  /** The children are of SVG or MathML, too. */
  readonly isDeep: boolean;
}

const TEMPLATE: Scope = { hasForeign: false, hasSelect: false };

/**
 * Tracks the elements inside an element in which no script is placed; all others do not matter. The cost of a tag does
 * not depend on the depth.
 */
export class OpenElements {
  readonly #open: OpenElement[] = [];
  /** The places of the open elements, by name. */
  readonly #places = new Map<string, number[]>();
  /** True if the markup is malformed, so that browsers may read the rest in more than one way. */
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

  /** Ends the innermost element of this name, and all elements inside of it. */
  #close(name: string): void {
    if (name === 'p' || name === 'br') this.#breakOut();
    const at = this.#placeOf(name);
    if (at < 0 || at < this.#placeOf('template')) {
      // an element around SVG and MathML ends them, and is not tracked
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
