/** Finds the page param where the name does not tell: in hints for generators, in the examples and names of a list. */
import type { ApiDocument } from './ApiDocument.ts';
import { isFields, list, member, objectAt, text } from './JsonObject.ts';
import type { JsonObject } from './JsonObject.ts';
import { plainName } from './ModuleNames.ts';

/** The param of a page, or a `Link` header with the address of the next page. */
export interface PageHint {
  readonly param: string | undefined;
  /** What tells the param, unless a hint for generators. */
  readonly shownBy: 'examples' | 'names' | undefined;
  readonly hasLink: boolean;
  /** True if a member of the body says that more pages follow. */
  readonly hasNext: boolean;
}

/*
 *   x-pagination, x-fern-pagination, x-speakeasy-pagination   a text inside is the name of a search param
 *   an example of the body is that of a search param          the cursor: next_page.offset
 *   an example of the body is an address with the param       next: https://api/items?start=abc
 *   next_position or next.position in the body        the cursor: position
 *   the header Link                                           `linkPages`
 */
/** The hint of an operation; `params` are the search parameters. */
export function pageHintOf(
  described: JsonObject,
  params: readonly unknown[],
  document: ApiDocument,
): PageHint {
  const success = Object.entries(objectAt(described, 'responses')).find(([status]) =>
    status.startsWith('2'),
  );
  const response = document.resolve(success?.[1]);
  const hasLink = Object.keys(objectAt(response, 'headers')).some((name) => /^link$/i.test(name));
  const query = params
    .map((each) => document.resolve(each))
    .filter((each) => member(each, 'in') === 'query');
  const names = query.flatMap((each) => text(each, 'name') ?? []);
  const told = hinted(described, names);
  const shown = told ?? byExample(response, query, document);
  const members = Object.values(document.contentOf(response)).flatMap((media) =>
    memberNames(member(media, 'schema'), document),
  );
  const named = shown ?? names.find((name) => members.some((each) => isNextOf(each, name)));
  const shownBy = shown === undefined ? 'names' : 'examples';
  return {
    param: named,
    shownBy: named === undefined || told !== undefined ? undefined : shownBy,
    hasLink,
    hasNext: members.some((each) => /^next|\bnext|has_?(?:more|next)|cursor/i.test(each)),
  };
}

/** `next_stream_position` of `stream_position`, also in an object `next`. */
const isNextOf = (path: string, param: string): boolean =>
  plainName(path).endsWith(`next${plainName(param)}`);

/** The names of members outside of lists, each behind the names of the objects around. */
function memberNames(schema: unknown, document: ApiDocument, depth = 0): string[] {
  const at = document.resolve(schema);
  if (!isFields(at) || depth > 3 || Object.hasOwn(at, 'items')) return [];
  const own = Object.entries(objectAt(at, 'properties')).flatMap(([name, inner]) => [
    name,
    ...memberNames(inner, document, depth + 1).map((each) => `${name}.${each}`),
  ]);
  return [...own, ...list(at, 'allOf').flatMap((each) => memberNames(each, document, depth + 1))];
}

/** The extension of a generator names a param: `$request.cursor` of Fern, `{ name: page }` of others. */
function hinted(described: JsonObject, names: readonly string[]): string | undefined {
  const hints = Object.entries(described).filter(([name]) => /^x-(?:[\w]+-)?pagina/i.test(name));
  const inputs = hints.flatMap(([, hint]) => list(hint, 'inputs')).filter(isPage);
  const texts = [...hints.map(([, hint]) => hint), ...inputs].flatMap((each) => textsIn(each));
  const found = texts
    .map((each) => each.replace(/^.*\./, ''))
    .filter((each) => names.includes(each));
  return found.find((each) => !/limit|size|count/i.test(each));
}

/** An input of Speakeasy: `{ name: peg, in: parameters, type: cursor }`. */
const isPage = (input: unknown): boolean =>
  text(input, 'in') !== 'requestBody' && text(input, 'type') !== 'limit';

function byExample(
  response: unknown,
  query: readonly unknown[],
  document: ApiDocument,
): string | undefined {
  const shown = Object.values(document.contentOf(response)).flatMap((media) => [
    ...examplesOf(media, document).flatMap((each) => textsIn(each)),
    ...examplesIn(member(media, 'schema'), document),
  ]);
  const param = query.find((each) => {
    const name = text(each, 'name') ?? '';
    const examples = [
      ...examplesOf(each, document),
      ...exampleOf(member(each, 'schema'), document),
    ];
    const isShown = examples.some(
      (example) => typeof example === 'string' && example.length > 3 && shown.includes(example),
    );
    const isLinked = shown.some((value) => new RegExp(`^[^\\s]*[?&]${escaped(name)}=`).test(value));
    return isShown || isLinked;
  });
  return text(param, 'name');
}

const escaped = (name: string): string => name.replace(/[^\w]/g, '\\$&');

/** The texts of a value outside of lists: rows are no cursors. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value))
    return depth > 0 && value.some(isFields)
      ? []
      : value.flatMap((each) => textsIn(each, depth + 1));
  if (!isFields(value) || depth > 4) return [];
  return Object.values(value).flatMap((each) => textsIn(each, depth + 1));
}

/** The examples of a parameter or of a body; the upgrade of OpenAPI 3.0 writes an `example` as one of `examples`. */
const examplesOf = (described: unknown, document: ApiDocument): unknown[] => [
  member(described, 'example'),
  ...Object.values(objectAt(described, 'examples')).map((each) =>
    member(document.resolve(each), 'value'),
  ),
];

const exampleOf = (schema: unknown, document: ApiDocument): unknown[] => {
  const at = document.resolve(schema);
  return [member(at, 'example'), list(at, 'examples')[0]];
};

/** The examples of members outside of lists. */
function examplesIn(schema: unknown, document: ApiDocument, depth = 0): string[] {
  const at = document.resolve(schema);
  if (!isFields(at) || depth > 3 || Object.hasOwn(at, 'items')) return [];
  const own = exampleOf(at, document).filter((each) => typeof each === 'string');
  const inner = [...Object.values(objectAt(at, 'properties')), ...list(at, 'allOf')];
  return [...own, ...inner.flatMap((each) => examplesIn(each, document, depth + 1))];
}
