/** Tokens of HTML that comes in pieces, as a browser that runs scripts finds them (WHATWG HTML, 13.2.5). */

/** How the text behind a start tag is read: as markup, up to the end tag, or up to the end of the page. */
export type TextMode = 'markup' | 'raw' | 'rest';

/** A start tag or an end tag. */
export interface Tag {
  /** In lower case. */
  readonly name: string;
  readonly isEnd: boolean;
  /** True if the tag ends in `/>`, which closes only elements of SVG and MathML. */
  readonly isSelfClosing: boolean;
}

/** Receives the tokens. Positions are relative to the current piece: the start of a token may be below 0. */
export interface TokenSink {
  text(text: string, start: number): void;
  /** A comment, a doctype, or a CDATA section. */
  declaration(isDoctype: boolean, start: number, end: number): void;
  /** Returns how the text behind a start tag is read. */
  tag(tag: Tag, start: number, end: number): TextMode;
  /** True in SVG and MathML, where CDATA sections are text. */
  readonly isForeign: boolean;
  /** True if the sink needs no further token of this piece. */
  readonly isDone: boolean;
}

/** Reads from a position, and returns the next position; `~n`: the text from n on is read again with the next piece. */
type State = (html: string, at: number) => number;

const SPACE = /[\t\n\f\r ]*/y;
const TAG_NAME = /[^\t\n\f\r />]*/y;
const ATTRIBUTE_NAME = /[^\t\n\f\r />=]*/y;
const UNQUOTED = /[^\t\n\f\r >]*/y;
const COMMENT_END = /--!?>/g;
// in a comment of a script, a pair of script tags is text
const IN_SCRIPT = /<!--|-->|<(\/?)script(?=[\t\n\f\r />])/gi;
const LETTER = /[a-z]/i;
// `<!doctype`, `<![CDATA[`
const DECLARATION = 9;

export class Tokenizer {
  readonly #sink: TokenSink;
  #state: State;
  /** The end of the last piece, which can only be read with the next piece. */
  #tail = '';
  /** The length of the part of the text that is the tail of the piece before. */
  #offset = 0;
  /** The position of the token in the piece. */
  #start = 0;
  #name = '';
  #isEnd = false;
  #isSelfClosing = false;
  /** The text that ends a declaration. */
  #end = '>';
  #isDoctype = false;
  /** In a script: 0; 1 in a comment; 2 in a script in a comment. */
  #depth = 0;

  constructor(sink: TokenSink) {
    this.#sink = sink;
    this.#state = this.#markup;
  }

  /** True between two tokens. */
  get isBetween(): boolean {
    return this.#state === this.#markup && this.#tail === '';
  }

  /** Reads a piece, if `canStop` until the sink is done. Returns the rest, which must be read before the next piece. */
  read(piece: string, canStop: boolean): string {
    const offset = this.#tail.length;
    const html = this.#tail + piece;
    this.#tail = '';
    this.#offset = offset;
    let at = 0;
    while (at < html.length && !(canStop && this.#sink.isDone)) {
      const next = this.#state(html, at);
      if (next < 0) this.#tail = html.slice(~next);
      at = next < 0 ? html.length : next;
    }
    const rest = html.slice(at);
    this.#start -= piece.length - rest.length;
    return rest;
  }

  readonly #markup: State = (html, at) => {
    const open = html.indexOf('<', at);
    const end = open < 0 ? html.length : open;
    if (end > at) this.#text(html, at, end);
    if (open < 0) return end;
    const isEnd = html[open + 1] === '/';
    const first = html[open + (isEnd ? 2 : 1)];
    if (first === undefined) return ~open;
    if (LETTER.test(first)) {
      this.#begin(open);
      this.#isEnd = isEnd;
      this.#name = '';
      this.#state = this.#tagName;
      return open + (isEnd ? 2 : 1);
    }
    if (isEnd || first === '?') return this.#declare(open, open + 2);
    if (first === '!') return this.#declaration(html, open);
    this.#text(html, open, open + 1);
    return open + 1;
  };

  #text(html: string, from: number, to: number): void {
    this.#sink.text(html.slice(from, to), from - this.#offset);
  }

  #begin(at: number): void {
    this.#start = at - this.#offset;
  }

  #declaration(html: string, open: number): number {
    const text = html.slice(open, open + DECLARATION);
    if (text.startsWith('<!--')) {
      this.#begin(open);
      this.#state = this.#commentStart;
      return open + 4;
    }
    if (text.length < DECLARATION && !text.includes('>')) return ~open;
    if (text === '<![CDATA[' && this.#sink.isForeign)
      return this.#declare(open, open + DECLARATION, ']]>');
    return this.#declare(open, open + 2, '>', /^<!doctype$/i.test(text));
  }

  #declare(open: number, next: number, end = '>', isDoctype = false): number {
    this.#begin(open);
    this.#end = end;
    this.#isDoctype = isDoctype;
    this.#state = this.#declared;
    return next;
  }

  readonly #declared: State = (html, at) => {
    const close = html.indexOf(this.#end, at);
    if (close < 0) return ~Math.max(at, html.length - this.#end.length + 1);
    return this.#leave(this.#isDoctype, close + this.#end.length);
  };

  #leave(isDoctype: boolean, end: number): number {
    this.#state = this.#markup;
    this.#sink.declaration(isDoctype, this.#start, end - this.#offset);
    return end;
  }

  /** `<!-->` and `<!--->` are comments, too. */
  readonly #commentStart: State = (html, at) => {
    const close = html.indexOf('>', at);
    const start = html.slice(at, at + 2);
    if (start[0] === '>' || start === '->') return this.#leave(false, close + 1);
    if (start === '-') return ~at;
    this.#state = this.#comment;
    return at;
  };

  readonly #comment: State = (html, at) => {
    COMMENT_END.lastIndex = at;
    if (COMMENT_END.test(html)) return this.#leave(false, COMMENT_END.lastIndex);
    return ~Math.max(at, html.length - 3);
  };

  readonly #tagName: State = (html, at) => {
    const end = past(TAG_NAME, html, at);
    this.#name += html.slice(at, end).toLowerCase();
    if (end < html.length) this.#toAttributes();
    return end;
  };

  #toAttributes(): void {
    this.#isSelfClosing = false;
    this.#state = this.#attributes;
  }

  readonly #attributes: State = (html, at) => {
    if (html[at] === '>') return this.#finishTag(at + 1);
    this.#isSelfClosing = html[at] === '/';
    // a name may begin with any character, including `=` and quotes
    if (!this.#isSelfClosing && past(SPACE, html, at) === at) this.#state = this.#attributeName;
    return at + 1;
  };

  readonly #attributeName: State = (html, at) => {
    const end = past(ATTRIBUTE_NAME, html, at);
    if (end < html.length) this.#state = this.#afterName;
    return end;
  };

  readonly #afterName: State = (html, at) => {
    const end = past(SPACE, html, at);
    if (html[end] === '=') {
      this.#state = this.#beforeValue;
      return end + 1;
    }
    if (end < html.length) this.#toAttributes();
    return end;
  };

  readonly #beforeValue: State = (html, at) => {
    const start = past(SPACE, html, at);
    const first = html[start];
    if (first === undefined) return start;
    if (first === '>') this.#toAttributes();
    else if (first === '"') this.#state = this.#doubleQuoted;
    else if (first === "'") this.#state = this.#singleQuoted;
    else this.#state = this.#unquoted;
    return first === '"' || first === "'" ? start + 1 : start;
  };

  readonly #doubleQuoted: State = (html, at) => this.#quoted(html.indexOf('"', at), html);
  readonly #singleQuoted: State = (html, at) => this.#quoted(html.indexOf("'", at), html);

  #quoted(end: number, html: string): number {
    if (end < 0) return html.length;
    this.#toAttributes();
    return end + 1;
  }

  readonly #unquoted: State = (html, at) => {
    const end = past(UNQUOTED, html, at);
    if (end < html.length) this.#toAttributes();
    return end;
  };

  #finishTag(end: number): number {
    const name = this.#name;
    const tag = { name, isEnd: this.#isEnd, isSelfClosing: this.#isSelfClosing };
    const content = this.#sink.tag(tag, this.#start, end - this.#offset);
    this.#depth = 0;
    if (content === 'markup') this.#state = this.#markup;
    else if (content === 'rest') this.#state = (html) => html.length;
    else this.#state = name === 'script' ? this.#script : this.#raw;
    return end;
  }

  readonly #raw: State = (html, at) => {
    const name = this.#name;
    const close = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'i').exec(html.slice(at));
    if (close !== null) return this.#closeRaw(at + close.index);
    return ~Math.max(at, html.length - name.length - 2);
  };

  readonly #script: State = (html, at) => {
    IN_SCRIPT.lastIndex = at;
    let next = at;
    for (let found = IN_SCRIPT.exec(html); found !== null; found = IN_SCRIPT.exec(html)) {
      const [text, slash] = found;
      if (text === '-->') this.#depth = 0;
      else if (text === '<!--') {
        this.#depth ||= 1;
        // the dashes of the start may also end the comment
        IN_SCRIPT.lastIndex -= 2;
      } else if (slash === '') this.#depth &&= 2;
      else if (this.#depth === 2) this.#depth = 1;
      else return this.#closeRaw(found.index);
      next = IN_SCRIPT.lastIndex;
    }
    return ~Math.max(next, html.length - '</script'.length);
  };

  #closeRaw(at: number): number {
    this.#begin(at);
    this.#isEnd = true;
    this.#toAttributes();
    return at + 2 + this.#name.length;
  }
}

/** The end of the run of characters. */
function past(run: RegExp, html: string, at: number): number {
  run.lastIndex = at;
  run.test(html);
  return run.lastIndex;
}
