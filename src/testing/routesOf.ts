/** The routes of a resource: the operation of each endpoint, the params in an address, the envelope of rows. */
import { isEndpoint } from '../endpoint/argumentChecks.ts';
import { SignalboxError } from '../errors.ts';
import { pathOf } from '../rest/RestBase.ts';
import { RestEndpoint } from '../rest/RestEndpoint.ts';
import { path } from '../rest/path.ts';
import type { PathPart } from '../rest/path.ts';
import { changeIn } from '../schema/Collection.ts';
import { Delete } from '../schema/Delete.ts';
import { ObjectKind } from '../schema/containers.ts';
import { kindOf } from '../schema/kindOf.ts';
import type { Kind, Fields } from '../schema/schema.ts';

/** The operation of a request on the rows; `undefined`: only a responder can answer. */
type Role = 'list' | 'one' | 'create' | 'replace' | 'change' | 'remove' | undefined;

export interface Route {
  /** The name of the member of the resource. */
  readonly member: string;
  readonly role: Role;
  readonly method: string;
  readonly endpoint: RestEndpoint;
  readonly read: ReadAddress;
  /** The schema of the response body. */
  readonly schema: Kind;
  /** True if created rows are sent and returned by key. */
  readonly keyed: boolean;
  /** The keyed route at the same address: the body of a request decides between both. */
  readonly beside?: Route | undefined;
}

interface Routes {
  /** The kind of the rows. */
  readonly kind: Kind;
  readonly routes: readonly Route[];
}

const USUAL: Readonly<Record<string, Role>> = {
  get: 'one',
  getList: 'list',
  create: 'create',
  update: 'replace',
  partialUpdate: 'change',
  delete: 'remove',
};

/**
 * Throws T4 for objects that are not resources, and for endpoints with addresses that their path does not determine.
 */
export function routesOf(resource: object): Routes {
  const members = Object.entries(Object(resource) as object).filter(([, member]) =>
    isRest(member),
  ) as [string, RestEndpoint][];
  const getMember = members.find(([member]) => member === 'get')?.[1];
  const [kind] = [getMember, ...members.map(([, endpoint]) => endpoint)].flatMap(
    (endpoint) => rowKindIn(kindIn(endpoint)) ?? [],
  );
  if (kind === undefined) {
    const reason = 'it has no endpoint of an entity: pass the result of createResource';
    throw new SignalboxError('T4', { member: 'the resource', reason });
  }
  const home = { kind, itemPath: getMember?.path as string | undefined };
  // a member's own route takes precedence over a route derived from a list
  const routes = [
    ...members.map(([member, endpoint]) => routeOf(member, endpoint, home)),
    ...members.flatMap(([member, endpoint]) => changesOf(member, endpoint, home)),
  ];
  return { kind, routes: unique(routes).sort((a, b) => rank(a) - rank(b)) };
}

interface Home {
  readonly kind: Kind;
  readonly itemPath: string | undefined;
}

function isRest(member: unknown): member is RestEndpoint {
  return isEndpoint(member) && typeof (member as { path?: unknown }).path === 'string';
}

function kindIn(endpoint: RestEndpoint | undefined): Kind {
  return kindOf(endpoint?.schema ?? null, 'createHandlers');
}

function routeOf(member: string, endpoint: RestEndpoint, home: Home): Route {
  if (endpoint.url !== RestEndpoint.prototype.url) {
    const reason = 'it overrides url(): omit it and write its handler by hand';
    throw new SignalboxError('T4', { member, reason });
  }
  const whole = kindIn(endpoint);
  const ownFetch = endpoint.fetch !== RestEndpoint.prototype.fetch;
  return {
    member,
    endpoint,
    method: endpoint.method,
    role: USUAL[member] ?? roleOf(endpoint, whole, home),
    schema: ownFetch ? withoutLink(whole) : whole,
    keyed: isKeyed(whole, home.kind),
    // computed again for each request: a class may compute the prefix
    read: (url) => addressOf(endpoint.urlPrefix, pathOf(endpoint))(url),
  };
}

/** The routes derived from a list: creations at the path of the list, changes at the path of a row. */
function changesOf(member: string, list: RestEndpoint, home: Home): Route[] {
  if (list.method !== 'GET') return [];
  const changes = ['push', 'unshift', 'assign', 'remove', 'move'] as const;
  return changes.flatMap((name) => {
    if (changeIn(list.schema, name) === undefined) return [];
    const endpoint = list[name] as RestEndpoint;
    const role: Role = name === 'remove' || name === 'move' ? 'change' : 'create';
    return { ...routeOf(`${member}.${name}`, endpoint, home), role };
  });
}

/*
 *   GET     with a list of the rows in the schema             list
 *   GET     of a single row, with names in the path           one
 *   POST    with the entry of a list as the schema            create
 *   PUT, PATCH, DELETE at the path of `get`                   replace, change, remove
 *   any other                                                 only a responder knows
 */
function roleOf({ method, path: template }: RestEndpoint, schema: Kind, home: Home): Role {
  if (method === 'GET') {
    if (rowKindIn(schema) !== home.kind) return undefined;
    if (listsIn(schema, home.kind).length > 0) return 'list';
    return path(template as string).names.size > 0 ? 'one' : undefined;
  }
  if (method === 'POST') return entersList(schema) ? 'create' : undefined;
  if (template !== home.itemPath) return undefined;
  return ({ PUT: 'replace', PATCH: 'change', DELETE: 'remove' } as Record<string, Role>)[
    method as string
  ];
}

function entersList(schema: Kind): boolean {
  const inner = schema.innerKinds?.() ?? [];
  return inner.some((kind) => (kind as { stores?: string }).stores === 'list' || entersList(kind));
}

/** A route for each method and address: the first member, and the first member for rows by key. */
function unique(routes: readonly Route[]): Route[] {
  const byAddress = new Map<string, Route>();
  for (const route of routes) {
    const address = `${route.method} ${route.endpoint.urlPrefix}${route.endpoint.path}`;
    const first = byAddress.get(address);
    if (first === undefined) byAddress.set(address, route);
    else if (route.keyed) byAddress.set(address, { ...first, beside: first.beside ?? route });
  }
  return [...byAddress.values()];
}

/** `/todos/search` comes before `/todos/:id`, which also matches; `/todos?page=:page` before `/todos`. */
function rank({ endpoint }: Route): number {
  const template = endpoint.path as string;
  return path(template).names.size - (template.includes('=:') ? 1000 : 0);
}

/** A parsed address: the names of the path with their values, and the search params behind the `?`. */
export interface RequestAddress {
  readonly path: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
}

/** Parses the addresses of an endpoint. Undefined: the address belongs to another endpoint. */
type ReadAddress = (url: string) => RequestAddress | undefined;

/*
 *   prefix and path begin with   match
 *   https://host                 that origin
 *   /                            the page's own origin; any where there is no page (a server, a test)
 *   anything else                any folder, as the page's own address decides
 */

/**
 * Matches the addresses that `prefix` and the path `template` build: all forms of rule R3, optional parts and
 * `?page=:page` included.
 */
function addressOf(prefix: string, template: string): ReadAddress {
  const names: string[] = [];
  const body = patternOf([prefix, ...path(template).parts], names);
  const pattern = new RegExp(`^${startOf(body)}${lowerOrigin(body)}(?:[?&]([^#]*))?(?:#.*)?$`);
  return (url) => {
    const found = pattern.exec(url);
    if (found === null) return undefined;
    const values = names.flatMap((name, at): [string, string][] => {
      const value = found[at + 1];
      return value === undefined ? [] : [[name, decodeURIComponent(value)]];
    });
    return { path: Object.fromEntries(values), search: searchIn(template, found) };
  };
}

/** The search params behind the `?`, without the params that the path template itself contains there. */
function searchIn(template: string, found: RegExpExecArray): URLSearchParams {
  const search = new URLSearchParams(found.at(-1) ?? '');
  for (const name of path(template).names) search.delete(name);
  return search;
}

/** The source of a regular expression with a group for each name, in order. */
function patternOf(parts: readonly PathPart[], names: string[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return literal(part);
      if (!('name' in part)) return `(?:${patternOf(part, names)})?`;
      names.push(part.name);
      return part.wild ? '([^?#&]+)' : '([^/?#&]+)';
    })
    .join('');
}

/** Text in the spelling of an address (WHATWG URL): percent-encoded unless ASCII. */
function literal(text: string): string {
  return text
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent)
    .replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

const ABSOLUTE = /^[a-z][\w+-]*:\/\/[^/(]*/i;

/**
 * Schemes and hosts compare in lower case, and a scheme's default port is left out. The address of an origin alone ends
 * with a slash (WHATWG URL).
 */
function lowerOrigin(pattern: string): string {
  return pattern.replace(ABSOLUTE, (origin) => {
    const lower = origin.toLowerCase().replace(/^(http:.*):80$|^(https:.*):443$/, '$1$2');
    return origin === pattern ? `${lower}/?` : lower;
  });
}

function startOf(pattern: string): string {
  if (ABSOLUTE.test(pattern)) return '';
  if (pattern.startsWith('//')) return '[a-z]+:';
  if (pattern !== '' && !pattern.startsWith('/')) return '.*/';
  const pageOrigin = (globalThis as { location?: { origin?: string } }).location?.origin;
  return pageOrigin?.startsWith('http') === true
    ? literal(pageOrigin)
    : String.raw`[a-z]+:\/\/[^/]*`;
}

/** The contents of an envelope. */
interface EnvelopeContents {
  /** The kind of the rows: other entities are not served. */
  readonly kind: Kind;
  /** A single row, or several. */
  readonly rows: Fields | readonly Fields[];
  /** The key of a row, for lists with keys. */
  keyOf(row: Fields): string | undefined;
  /** The rows of the list with this name, for envelopes with several lists. */
  listed(name: string, rows: readonly Fields[]): readonly Fields[];
  /** The value of a literal with this name. */
  figure(name: string, literal: unknown): unknown;
}

/** Puts rows into the envelope that a schema describes, as a server would. */
export function envelopeOf(schema: Kind, contents: EnvelopeContents, name = ''): unknown {
  const { kind, rows } = contents;
  if (schema instanceof ObjectKind) {
    const members = schema.members.map(([at, inner]) => [at, envelopeOf(inner, contents, at)]);
    return Object.fromEntries(members as [string, unknown][]);
  }
  const empty = schema.emptyValue?.();
  if (!(schema instanceof Delete) && rowKindIn(schema) !== kind)
    return contents.figure(name, empty);
  // the type of an empty schema value decides: an array, an object by keys, or a single row
  if (typeof empty !== 'object') return rows;
  const listed = contents.listed(name, [rows].flat());
  if (Array.isArray(empty)) return listed;
  return Object.fromEntries(listed.map((row) => [contents.keyOf(row), row]));
}

/** The first kind in a schema that identifies entities: an entity class, or a union of entity classes. */
function rowKindIn(schema: Kind): Kind | undefined {
  if (schema.storedKindOf !== undefined) return schema;
  for (const inner of schema.innerKinds?.() ?? []) {
    const found = rowKindIn(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The names of the lists of rows of `kind` in a schema; '' if the schema itself is a list. */
export function listsIn(schema: Kind, kind: Kind, name = ''): readonly string[] {
  if (schema instanceof ObjectKind) {
    return schema.members.flatMap(([at, inner]) => listsIn(inner, kind, at));
  }
  return typeof schema.emptyValue?.() === 'object' && rowKindIn(schema) === kind ? [name] : [];
}

/** True for a schema of rows by key. */
function isKeyed(schema: Kind, kind: Kind): boolean {
  if (schema instanceof ObjectKind) return schema.members.some(([, inner]) => isKeyed(inner, kind));
  const empty = schema.emptyValue?.();
  return typeof empty === 'object' && !Array.isArray(empty) && rowKindIn(schema) === kind;
}

/** The body schema of a response with `link` in a header: the endpoint's own `fetch` adds the `link`. */
function withoutLink(schema: Kind): Kind {
  if (!(schema instanceof ObjectKind)) return schema;
  const members = schema.members.filter(([name]) => name !== 'link');
  if (members.length === schema.members.length) return schema;
  return members.length === 1
    ? (members[0] as readonly [string, Kind])[1]
    : new ObjectKind(members);
}
