/** Writes search params in the styles of OpenAPI: joined lists, objects in brackets, JSON. */
import { isPlainObject, setOwn } from '../schema/fieldOf.ts';
import type { NamedEndpoint } from '../schema/badDataError.ts';
import { toParamText } from './request.ts';
import type { RestBase } from './RestBase.ts';

/**
 * The style of a param: a style of OpenAPI 3.1 (4.8.12.2) with `explode: false`, or `tsv` of Swagger 2.0;
 * `exploded`: a map, each member a param; `json`: the content type JSON.
 */
export type SearchStyle =
  | 'exploded'
  | 'commaDelimited'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'tabDelimited'
  | 'deepObject'
  | 'json';

/*
 *   exploded          {b: 1}    b=1          1         a=1         [1, 2]    a=1&a=2
 *   commaDelimited    [1, 2]    a=1,2        {b: 1}    a=b,1
 *   spaceDelimited    [1, 2]    a=1%202
 *   pipeDelimited     [1, 2]    a=1%7C2
 *   tabDelimited      [1, 2]    a=1%092
 *   deepObject        {b: 1}    a[b]=1       [1, 2]    a[]=1&a[]=2      [{b: 1}]    a[0][b]=1
 *   json              {b: 1}    a={"b":1}    percent-encoded
 */

/**
 * A `searchToString` that writes params with a style as their style says; the method of the class writes all others.
 * `names` has the sent name of a param with another name. Throws R2, status 400, for a value without a text.
 */
export function searchStyles(
  styles: Readonly<Record<string, SearchStyle>>,
  names: Readonly<Record<string, string>> = {},
): (params: object) => string {
  return function searchToString(this: RestBase, params: object): string {
    const plain = {};
    const texts: string[] = [];
    for (const [param, value] of sortedEntries(params)) {
      const name = Object.hasOwn(names, param) ? (names[param] as string) : param;
      const style = Object.hasOwn(styles, param) ? styles[param] : undefined;
      if (style === undefined) setOwn(plain, name, value);
      else texts.push(...pairsOf({ name, value, style }, this).map(toText));
    }
    const { prototype } = this.constructor as typeof RestBase;
    const first = prototype.searchToString.call(this, plain);
    return [first, ...texts].filter((text) => text !== '').join('&');
  };
}

/** A param with a style. */
export interface StyledParam {
  readonly name: string;
  readonly value: unknown;
  readonly style: SearchStyle;
}

/** The values of a sent name, with the sign between them. */
export interface StyledPair {
  readonly name: string;
  readonly values: readonly string[];
  readonly joint: string;
}

const JOINTS: Readonly<Record<string, string>> = {
  commaDelimited: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
};

/** The pairs that a value in a style sends; none for `undefined` and an empty list. */
export function pairsOf(
  { name, value, style }: StyledParam,
  endpoint: NamedEndpoint,
): readonly StyledPair[] {
  if (value === undefined) return [];
  if (style === 'deepObject') return deepPairs(name, value, endpoint);
  if (style === 'exploded')
    return sortedEntries(isPlainObject(value) ? value : { [name]: value }).flatMap(([key, each]) =>
      (Array.isArray(each) ? each : [each]).flatMap((one) => deepPairs(key, one, endpoint)),
    );
  if (style === 'json') return [{ name, values: [JSON.stringify(sorted(value))], joint: '' }];
  const parts = Array.isArray(value)
    ? value
    : isPlainObject(value)
      ? sortedEntries(value).flatMap((entry) => (entry[1] === undefined ? [] : entry))
      : [value];
  const values = parts
    .filter((each) => each !== undefined)
    .map((each) => toParamText(each, name, endpoint));
  return values.length === 0 ? [] : [{ name, values, joint: JOINTS[style] ?? ',' }];
}

function deepPairs(name: string, value: unknown, endpoint: NamedEndpoint): readonly StyledPair[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) {
    const isOfObjects = value.some((each) => typeof each === 'object' && each !== null);
    return value.flatMap((each, at) =>
      deepPairs(`${name}[${isOfObjects ? at : ''}]`, each, endpoint),
    );
  }
  if (isPlainObject(value))
    return sortedEntries(value).flatMap(([key, each]) =>
      deepPairs(`${name}[${key}]`, each, endpoint),
    );
  return [{ name, values: [toParamText(value, name, endpoint)], joint: '' }];
}

// a comma separates values and is not encoded; spaces, tabs and bars are no characters of a url
const toText = ({ name, values, joint }: StyledPair): string =>
  `${encodeURIComponent(name)}=${values
    .map(encodeURIComponent)
    .join(joint === ',' ? joint : encodeURIComponent(joint))}`;

/** Sorted by name, so that equal params give equal keys. */
const sortedEntries = (params: object): [string, unknown][] =>
  Object.entries(params).sort(([first], [second]) => (first < second ? -1 : 1));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(sortedEntries(value).map(([name, each]) => [name, sorted(each)]));
}
