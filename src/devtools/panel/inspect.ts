/** Any value as short text: runs no code of the value, and reads only the part that is shown. */
import { StoreRecord } from '../../store/StorePort.ts';
import { ObjectNode } from '../../schema/containers.ts';
import { Decoded } from '../../schema/DecoderKind.ts';
import { Composite, OpaqueValue } from '../../schema/schema.ts';
import { recordName } from '../toPlain.ts';

/** Limits of the text. */
interface InspectLimits {
  /** Characters; longer text ends in `…`. Default 80. */
  readonly length?: number;
  /** How many levels of members are shown; deeper values are `{…}`. Default 1. */
  readonly depth?: number;
  /** A line for each member. */
  readonly lines?: boolean;
}

/**
 * Text is quoted, records are shown by their names, computed values as `(…)`, because no getter is called. Unreadable
 * values are marked in the text. The depth ends cyclic values.
 */
export function inspect(value: unknown, extent: InspectLimits = {}): string {
  const { length = 80, depth = 1, lines = false } = extent;
  const page = new Page(length, lines);
  page.write(value, depth, '');
  return page.text.length > length ? `${page.text.slice(0, length - 1)}…` : page.text;
}

class Page {
  text = '';
  readonly #length: number;
  readonly #lines: boolean;

  constructor(length: number, lines: boolean) {
    this.#length = length;
    this.#lines = lines;
  }

  get #full(): boolean {
    return this.text.length > this.#length;
  }

  write(value: unknown, depth: number, indent: string): void {
    if (typeof value === 'string') this.text += JSON.stringify(value.slice(0, this.#length));
    else if (typeof value === 'bigint') this.text += `${value}n`;
    else if (typeof value === 'function') this.text += 'ƒ';
    else if (typeof value !== 'object' || value === null) this.text += String(value);
    else if (value === COMPUTED) this.text += '(…)';
    else {
      const before = this.text;
      try {
        this.#object(value, depth, indent);
      } catch {
        // a proxy, or a class that throws when a member is read
        this.text = `${before}(cannot be read)`;
      }
    }
  }

  #object(value: object, depth: number, indent: string): void {
    const short = shortOf(value);
    if (short !== undefined) this.text += short;
    else if (value instanceof OpaqueValue) this.write(value.value, depth, indent);
    else if (value instanceof Decoded) this.write(value.value, depth, indent);
    else if (value instanceof ObjectNode)
      this.#members('{', Object.entries({ ...value.rest, ...value.inner }), depth, indent);
    else if (value instanceof Composite) this.write(value.inner, depth, indent);
    else if (Array.isArray(value)) this.#members('[', unnamed(value), depth, indent);
    else if (value instanceof Set)
      this.#members(`Set(${value.size}) [`, unnamed(value), depth, indent);
    else if (value instanceof Map)
      this.#members(`Map(${value.size}) {`, entriesOf(value), depth, indent);
    else this.#members(`${classOf(value)}{`, safeFieldsOf(value), depth, indent);
  }

  #members(open: string, members: Iterable<Member>, depth: number, indent: string): void {
    const close = open.endsWith('[') ? ']' : '}';
    const inner = `${indent}  `;
    let first = true;
    this.text += open;
    for (const [name, value] of members) {
      if (depth <= 0 || this.#full) {
        this.text += `${first ? '' : ', '}…`;
        break;
      }
      if (!first) this.text += this.#lines ? ',' : ', ';
      if (this.#lines) this.text += `\n${inner}`;
      first = false;
      if (name !== '') this.text += `${name}: `;
      this.write(value, depth - 1, inner);
    }
    this.text += this.#lines && !first ? `\n${indent}${close}` : close;
  }
}

type Member = readonly [name: string, value: unknown];

/** In the place of a value that only a getter returns. */
const COMPUTED: object = Object.freeze({});

/** The text of values that are shown without their members. */
function shortOf(value: object): string | undefined {
  if (value instanceof StoreRecord) return recordName(value);
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (ArrayBuffer.isView(value)) return `${classOf(value)}(${value.byteLength} bytes)`;
  return undefined;
}

function* unnamed(members: Iterable<unknown>): Iterable<Member> {
  for (const member of members) yield ['', member];
}

function* entriesOf(map: ReadonlyMap<unknown, unknown>): Iterable<Member> {
  for (const [key, value] of map) yield [inspect(key), value];
}

/** The names and values of a map, without enclosing braces. */
export function inspectFields(fields: ReadonlyMap<string, unknown>, length: number): string {
  const page = Object.fromEntries(fields);
  return inspect(page, { length }).replace(/^\{|\}$/g, '');
}

/** The own fields, in order, each read on demand. */
export function* safeFieldsOf(value: object): Iterable<Member> {
  for (const name of Object.keys(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, name);
    yield [name, descriptor?.get === undefined ? descriptor?.value : COMPUTED];
  }
}

function classOf(value: object): string {
  const { constructor: of } = (Object.getPrototypeOf(value) ?? {}) as { constructor?: unknown };
  const name = typeof of === 'function' ? of.name : '';
  return name === '' || name === 'Object' ? '' : `${name} `;
}
