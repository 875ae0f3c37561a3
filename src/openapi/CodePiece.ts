/** Pieces of TypeScript and the layout: a single line if short enough, else a line for each part. */

/** Text, a sequence of pieces, or a bracket around parts. */
export type CodePiece = string | Block | readonly CodePiece[];

export interface Block {
  readonly open: string;
  readonly close: string;
  readonly parts: readonly CodePiece[];
  /** The separator of the parts: `,` in values, `;` in types. */
  readonly mark: ',' | ';';
  /** True: each part always has a separate line. */
  readonly tall?: boolean;
}

/** The columns of a line. */
export const WIDTH = 100;

/** `{ a, b }` of an object, or another bracket. */
export function block(
  parts: readonly CodePiece[],
  open = '{',
  close = '}',
  mark: ',' | ';' = ',',
): CodePiece {
  return parts.length === 0 ? open + close : { open, close, parts, mark };
}

/** The piece on a single line of any length; also used for comparison. */
export function flat(code: CodePiece): string {
  if (typeof code === 'string') return code;
  if (!isBlock(code)) return code.map(flat).join('');
  const inner = code.parts.map(flat).join(`${code.mark} `);
  return code.open.endsWith('{')
    ? `${code.open} ${inner} ${code.close}`
    : code.open + inner + code.close;
}

/** The text of a piece that begins `indent` spaces into a line; lines after the first are indented as well. */
export function lay(code: CodePiece, indent = 0): string {
  return layAt(code, indent, indent);
}

function layAt(code: CodePiece, indent: number, column: number): string {
  if (typeof code === 'string') return code.replaceAll('\n', `\n${' '.repeat(indent)}`);
  if (!isBlock(code)) {
    let text = '';
    for (const [at, piece] of code.entries()) {
      // the following text on the line must fit, too
      const rest = code
        .slice(at + 1)
        .map(lineOf)
        .join('').length;
      text += layAt(piece, indent, columnAfter(text, column) + rest);
    }
    return text;
  }
  const line = flat(code);
  if (!isTall(code) && column + widthOf(line) < WIDTH) return line;
  const margin = ' '.repeat(indent + 2);
  const inner = code.parts.map(
    (part) => `${margin}${layAt(part, indent + 2, indent + 2)}${code.mark}\n`,
  );
  return `${code.open}\n${inner.join('')}${' '.repeat(indent)}${code.close}`;
}

/** The start of a piece that must be on the same line as the preceding text. */
function lineOf(code: CodePiece): string {
  if (typeof code === 'string') return code;
  return isBlock(code) ? code.open : code.map(lineOf).join('');
}

/** The columns of a text: Chinese, Japanese and Korean characters take two. */
const widthOf = (text: string): number =>
  text.length +
  (text.match(/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/g)?.length ?? 0);

function columnAfter(text: string, column: number): number {
  const at = text.lastIndexOf('\n');
  return at < 0 ? column + widthOf(text) : widthOf(text.slice(at + 1));
}

function isTall(code: CodePiece): boolean {
  if (typeof code === 'string') return code.includes('\n');
  if (!isBlock(code)) return code.some(isTall);
  return code.tall === true || code.parts.some(isTall);
}

function isBlock(code: CodePiece): code is Block {
  return typeof code === 'object' && 'parts' in code;
}

/** A text as a literal on a single line, in the quotes that need fewer escapes. */
export function stringLiteral(text: string): string {
  const double = JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escaped);
  const count = (sign: string) => text.split(sign).length;
  if (count("'") > count('"')) return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Invisible characters, by their UTF-16 units. */
const escaped = (char: string): string =>
  char.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The name of a member, in quotes if needed. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name);
}

/** The name of a member of an object or a class: `__proto__` would set the prototype, `constructor` the class. */
export function valueKeyOf(name: string): string {
  return name === '__proto__' || name === 'constructor' ? `['${name}']` : propertyKey(name);
}

/** A member of an object, in shorthand if possible. */
export function property(name: string, value: CodePiece): CodePiece {
  const key = valueKeyOf(name);
  return key === value && !/^['"[]/.test(key) ? key : [`${key}: `, value];
}

/** Pieces joined by a sign. */
export function joinPieces(pieces: readonly CodePiece[], sign: string): CodePiece {
  return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [sign, piece]));
}

/** A type in parentheses, if needed before or after another type operator. */
export function inParentheses(type: CodePiece): CodePiece {
  return hasOperator(type) ? ['(', type, ')'] : type;
}

/** True if an operator of types is outside of brackets. */
function hasOperator(type: CodePiece): boolean {
  if (typeof type === 'string') return / [|&] /.test(type);
  return !isBlock(type) && type[0] !== '(' && type.some(hasOperator);
}

/** A doc comment with escaped text of the description, which neither ends the comment nor directs tools; or ''. */
export function docComment(...paragraphs: readonly (string | undefined)[]): string {
  const lines = paragraphs
    .filter((text) => text !== undefined && text.trim() !== '')
    .flatMap((text, at) => [...(at === 0 ? [] : ['']), ...linesOf(text as string)]);
  if (lines.length === 0) return '';
  if (lines.length === 1 && (lines[0] as string).length < WIDTH - 12) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

function linesOf(text: string): string[] {
  const lines = text.trim().split(/\r\n|[\n\r\u2028\u2029]/);
  return lines.map((line) =>
    line
      .replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
      .trimEnd()
      .replaceAll('*/', '*\\/')
      .replace(/@(?=\w)/g, '\\@'),
  );
}
