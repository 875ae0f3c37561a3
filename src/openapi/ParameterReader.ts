/** Reads the parameters of an operation: of the path, the query, the headers and cookies. */
import type { SearchStyle } from '../rest/searchStyles.ts';
import type { ApiDocument } from './ApiDocument.ts';
import { member, text } from './JsonObject.ts';
import type { Path } from './Path.ts';
import { isDelimited, isJsonType } from './readContent.ts';
import { NULL, choice, docOf, withoutNull } from './Shape.ts';
import type { Member, Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';

/** A search param; the name is not the sent name if a param of the path has the same. */
export interface SearchParam extends Member {
  readonly sentName: string;
  /** Undefined for a param that is written as usual. */
  readonly style: SearchStyle | undefined;
}

/** Headers that cannot be parameters (OpenAPI 3.1, 4.8.12.1). */
const NO_HEADERS = /^(?:accept|content-type|authorization)$/i;

export class ParameterReader {
  readonly #document: ApiDocument;
  readonly #shapes: Shapes;

  constructor(document: ApiDocument, shapes: Shapes) {
    this.#document = document;
    this.#shapes = shapes;
  }

  /** The types of the params in the path. */
  path(parameters: readonly unknown[]): Map<string, Shape> {
    const types = new Map<string, Shape>();
    for (const each of parameters) {
      const parameter = this.#document.resolve(each);
      const name = text(parameter, 'name');
      if (name !== undefined && member(parameter, 'in') === 'path')
        types.set(name, this.#shapes.read(member(parameter, 'schema')));
    }
    return types;
  }

  /** The text before the values of params in the path (OpenAPI 3.1, 4.8.12.2): `;id=` in the style matrix, a dot in label. */
  leads(parameters: readonly unknown[]): Map<string, string> {
    const found = new Map<string, string>();
    for (const each of parameters) {
      const parameter = this.#document.resolve(each);
      const name = text(parameter, 'name');
      if (name === undefined || member(parameter, 'in') !== 'path') continue;
      const style = text(parameter, 'style');
      const matrix = style === 'matrix' ? `;${encodeURIComponent(name)}=` : '';
      found.set(name, style === 'label' ? '.' : matrix);
    }
    return found;
  }

  /** Headers or cookies, each sent unchanged. */
  plain(parameters: readonly unknown[], place: string): Member[] {
    const members = new Map<string, Member>();
    for (const each of parameters) {
      const parameter = this.#document.resolve(each);
      const name = text(parameter, 'name');
      if (name === undefined || member(parameter, 'in') !== place) continue;
      if (place === 'header' && NO_HEADERS.test(name)) continue;
      // names of headers do not differ by case
      members.set(place === 'header' ? name.toLowerCase() : name, {
        name,
        shape: this.#shapes.read(member(parameter, 'schema')),
        required: member(parameter, 'required') === true,
        readOnly: false,
        writeOnly: false,
        doc: docOf(parameter),
        preset: undefined,
      });
    }
    return [...members.values()];
  }

  /** If two parameters have the same name, the operation's own parameter wins. */
  query(parameters: readonly unknown[], segments: Path): SearchParam[] {
    const members = new Map<string, SearchParam>();
    for (const each of parameters) {
      const parameter = this.#document.resolve(each);
      const name = text(parameter, 'name');
      if (name === undefined || member(parameter, 'in') !== 'query') continue;
      for (const one of this.#spread(name, parameter)) members.set(one.name, one);
    }
    const params = segments.flat().flatMap((step) => ('param' in step ? [step.param] : []));
    const taken = new Set([...params, ...members.keys()]);
    return [...members.values()].map((each) => {
      if (!params.includes(each.name)) return each;
      let name = `${each.name}Query`;
      for (let next = 2; taken.has(name); next++) name = `${each.name}Query${next}`;
      return { ...each, name };
    });
  }

  /** The search params of a parameter; an object in the usual style sends each member separately. */
  #spread(name: string, parameter: unknown): SearchParam[] {
    const [type, media] = Object.entries(this.#document.contentOf(parameter))[0] ?? [];
    const shape = this.#shapes.read(member(media ?? parameter, 'schema'));
    const ofContent = isJsonType(type) ? 'json' : undefined;
    const style = type === undefined ? this.#styleOf(parameter, shape) : ofContent;
    const isEmptyAllowed = member(parameter, 'allowEmptyValue') === true;
    const followed = this.#shapes.follow(withoutNull(shape).shape);
    const doc = docOf(parameter);
    if (style === undefined && followed.is === 'object' && followed.members.length > 0)
      return followed.members.map((each) => ({
        ...each,
        required: false,
        sentName: each.name,
        style: isNested(each.shape, this.#shapes) ? ('deepObject' as const) : undefined,
      }));
    const required = member(parameter, 'required') === true;
    const one = { name, required, readOnly: false, writeOnly: false, preset: undefined };
    // null is sent as an empty value
    const sent = isEmptyAllowed ? choice([shape, NULL]) : shape;
    return [{ ...one, shape: sent, doc, sentName: name, style }];
  }

  /** The style of a list or an object (OpenAPI 3.1, 4.8.12.2); a single value is the same in all styles. */
  #styleOf(parameter: unknown, shape: Shape): SearchStyle | undefined {
    const forms = this.#formsOf(shape);
    const followed = this.#shapes.follow(withoutNull(shape).shape);
    const style = text(parameter, 'style') ?? 'form';
    const explode = member(parameter, 'explode') ?? style === 'form';
    if (style === 'deepObject') return forms.size > 0 ? style : undefined;
    const isSpread = explode === true && forms.has('object') && forms.size === 1;
    if (!isSpread && isNestedParam(shape, explode === true, this.#shapes)) return 'deepObject';
    // an object beside other values is a single param, and has no params of its members
    const isOne = followed.is !== 'object' || followed.members.length === 0;
    if (explode === true)
      return forms.has('map') || (forms.has('object') && isOne) ? 'exploded' : undefined;
    if (forms.size === 0) return undefined;
    return isDelimited(style) ? style : 'commaDelimited';
  }

  /** The kinds of values in a shape that are no single value. */
  #formsOf(shape: Shape): Set<'list' | 'object' | 'map'> {
    const followed = this.#shapes.follow(withoutNull(shape).shape);
    if (followed.is === 'choice')
      return new Set(followed.of.flatMap((each) => [...this.#formsOf(each)]));
    if (followed.is === 'list' || followed.is === 'tuple') return new Set(['list']);
    if (followed.is === 'object') return new Set([followed.members.length > 0 ? 'object' : 'map']);
    return new Set(followed.is === 'all' ? ['object'] : []);
  }
}

/** True for an object, and for a list of objects or lists: only deepObject writes either inside of a value. */
function isNested(shape: Shape, shapes: Shapes, isInside = false): boolean {
  const followed = shapes.follow(withoutNull(shape).shape);
  if (followed.is === 'choice') return followed.of.some((each) => isNested(each, shapes, isInside));
  if (followed.is === 'object' || followed.is === 'all') return true;
  if (followed.is !== 'list') return false;
  return isInside || isNested(followed.of, shapes, true);
}

/** True for a param in the style form with objects or lists inside of lists or objects: OpenAPI does not say how. */
export function isNestedParam(shape: Shape, explodes: boolean, shapes: Shapes): boolean {
  const followed = shapes.follow(withoutNull(shape).shape);
  if (followed.is === 'choice')
    return followed.of.some((each) => isNestedParam(each, explodes, shapes));
  if (followed.is === 'list') return isNested(followed.of, shapes, true);
  if (followed.is !== 'object') return false;
  const inner = followed.members.map((each) => each.shape);
  const all = followed.rest === undefined ? inner : [...inner, followed.rest];
  return all.some((each) => isNested(each, shapes, !explodes));
}
