/** Reads the operations of a document: their parameters and responses, with names for records that have none. */
import type { Path } from './Path.ts';
import type { SearchStyle } from '../rest/searchStyles.ts';
import type { Member, Shape } from './Shape.ts';
import { securityIn } from './ApiDocument.ts';
import type { ApiDocument, SecurityNames } from './ApiDocument.ts';
import { objectAt, isFields, list, member, text } from './JsonObject.ts';
import type { JsonObject } from './JsonObject.ts';
import { camel, plainName, singular, endsOf } from './ModuleNames.ts';
import { parseSteps } from './Path.ts';
import { docOf, withoutNull } from './Shape.ts';
import type { Renames } from './Renames.ts';
import type { Shapes } from './Shapes.ts';

/** In capitals: `GET`, or any other method of the description. */
export type Method = string;

/** The encoding of a body. */
export type BodyForm = 'json' | 'form' | 'search' | 'text' | 'bytes' | 'stream';

export interface DescribedOperation {
  /** The operationId as an identifier, else made of method and path. */
  readonly name: string;
  /** The name as a member of a resource: without the group prefix, `issues/lock` as `lock`. */
  readonly shortName: string;
  /** True for names from the user. */
  readonly isRenamed: boolean;
  readonly method: Method;
  readonly path: string;
  readonly segments: Path;
  /** The types of the params in the path. */
  readonly params: ReadonlyMap<string, Shape>;
  readonly query: readonly SearchParam[];
  readonly headers: readonly Member[];
  readonly cookies: readonly Member[];
  /** Requests that the server sends after this operation. */
  readonly callbacks: readonly string[];
  readonly body: RequestBody | undefined;
  readonly response: ResponseContent;
  /** Alternatives of security schemes; undefined: those of the document. */
  readonly security: SecurityNames | undefined;
  readonly doc: string | undefined;
  readonly isDeprecated: boolean;
}

/** A search param; its name is not the sent name if a param of the path has that one. */
export interface SearchParam extends Member {
  readonly sentName: string;
  /** Undefined for a param that is written as usual. */
  readonly style: SearchStyle | undefined;
}

/** The request body. */
export interface RequestBody {
  readonly form: BodyForm;
  readonly shape: Shape;
  /** True if the description allows a request without a body. */
  readonly isOptional: boolean;
}

/** The response of a success; without a shape it has no body. */
export interface ResponseContent {
  readonly form: BodyForm;
  readonly shape: Shape | undefined;
  /** The examples in the description. */
  readonly examples: readonly unknown[];
}

const METHODS: readonly Method[] = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'QUERY',
];

/** Headers that cannot be parameters (OpenAPI 3.1, 4.8.12.1). */
const NO_HEADERS = /^(?:accept|content-type|authorization)$/i;

/** Methods that fetch sends without a body. */
const BODILESS: ReadonlySet<Method> = new Set(['GET', 'HEAD']);

/** All operations, in the order of the document. */
export function operationsOf(
  document: ApiDocument,
  shapes: Shapes,
  renames: Renames,
): DescribedOperation[] {
  const reader = new OperationReader(document, shapes, renames);
  const read = () =>
    Object.entries(document.paths).flatMap(([path, value]) => {
      const item = document.resolve(value);
      if (!path.startsWith('/') || !isFields(item)) return [];
      const more = Object.entries(objectAt(item, 'additionalOperations'));
      const entries = [
        ...METHODS.map((each) => [each, item[each.toLowerCase()]] as const),
        ...more,
      ];
      return entries.flatMap(([method, operation]) => {
        const described = document.resolve(operation);
        return isFields(described) ? [reader.operation(method, path, { item, described })] : [];
      });
    });
  // rows may precede the path that names them, so all operations are read twice
  read();
  return read();
}

class OperationReader {
  readonly #document: ApiDocument;
  readonly #shapes: Shapes;

  readonly #renames: Renames;

  constructor(document: ApiDocument, shapes: Shapes, renames: Renames) {
    this.#document = document;
    this.#shapes = shapes;
    this.#renames = renames;
  }

  operation(
    method: Method,
    path: string,
    { item, described }: Record<'item' | 'described', JsonObject>,
  ): DescribedOperation {
    const parameters = [...list(item, 'parameters'), ...list(described, 'parameters')];
    const id = text(described, 'operationId') ?? `${method.toLowerCase()} ${path}`;
    const tags = list(described, 'tags').filter((tag) => typeof tag === 'string');
    const givenName = this.#renames.of('operations', id);
    return {
      name: givenName ?? camel(id),
      shortName: givenName ?? camel(withoutGroup(id, [...tags, ...path.split('/')])),
      isRenamed: givenName !== undefined,
      method,
      path,
      segments: parseSteps(path),
      params: this.#params(parameters),
      query: this.#query(parameters, parseSteps(path)),
      headers: this.#plain(parameters, 'header').filter(({ name }) => !NO_HEADERS.test(name)),
      cookies: this.#plain(parameters, 'cookie'),
      callbacks: Object.keys(objectAt(described, 'callbacks')),
      body: BODILESS.has(method) ? undefined : this.#body(method, described),
      response: this.#response(described, path),
      security: securityIn(described),
      doc: text(described, 'summary') ?? docOf(described),
      isDeprecated: described['deprecated'] === true,
    };
  }

  #params(parameters: readonly unknown[]): Map<string, Shape> {
    const types = new Map<string, Shape>();
    for (const each of parameters) {
      const parameter = this.#document.resolve(each);
      const name = text(parameter, 'name');
      if (name !== undefined && member(parameter, 'in') === 'path')
        types.set(name, this.#shapes.read(member(parameter, 'schema')));
    }
    return types;
  }

  /** Headers or cookies, each sent unchanged. */
  #plain(parameters: readonly unknown[], place: string): Member[] {
    const members = new Map<string, Member>();
    for (const each of parameters) {
      const parameter = this.#document.resolve(each);
      const name = text(parameter, 'name');
      if (name === undefined || member(parameter, 'in') !== place) continue;
      members.set(name, {
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

  /** If two parameters have one name, the operation's own parameter wins. */
  #query(parameters: readonly unknown[], segments: Path): SearchParam[] {
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

  /** The search params of one parameter; an object in the usual style sends each of its members separately. */
  #spread(name: string, parameter: unknown): SearchParam[] {
    const [type, media] = Object.entries(objectAt(parameter, 'content'))[0] ?? [];
    const shape = this.#shapes.read(member(media ?? parameter, 'schema'));
    const style = type === undefined ? this.#styleOf(parameter, shape) : 'json';
    const followed = this.#shapes.follow(shape);
    const doc = docOf(parameter);
    if (style === undefined && followed.is === 'object' && followed.members.length > 0)
      return followed.members.map((each) => ({
        ...each,
        required: false,
        sentName: each.name,
        style: undefined,
      }));
    const required = member(parameter, 'required') === true;
    const one = { name, required, readOnly: false, writeOnly: false, preset: undefined };
    return [{ ...one, shape, doc, sentName: name, style }];
  }

  /** The style of a list or an object (OpenAPI 3.1, 4.8.12.2); a single value is the same in all styles. */
  #styleOf(parameter: unknown, shape: Shape): SearchStyle | undefined {
    const forms = this.#formsOf(shape);
    const style = text(parameter, 'style') ?? 'form';
    const explode = member(parameter, 'explode') ?? style === 'form';
    if (style === 'deepObject') return forms.size > 0 ? style : undefined;
    if (explode === true) return forms.has('map') ? 'exploded' : undefined;
    if (forms.size === 0) return undefined;
    return style === 'spaceDelimited' || style === 'pipeDelimited' ? style : 'commaDelimited';
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

  #body(method: Method, described: JsonObject): RequestBody | undefined {
    const request = this.#document.resolve(described['requestBody']);
    const found = this.#content(objectAt(request, 'content'), undefined, true);
    const required = member(request, 'required');
    const isOptional = method === 'DELETE' ? required !== true : required === false;
    if (found === undefined || (isOptional && isEmptyObject(found.shape))) return undefined;
    return { ...found, isOptional };
  }

  #response(described: JsonObject, path: string): ResponseContent {
    const responses = objectAt(described, 'responses');
    const success = Object.keys(responses)
      .filter((status) => /^2(\d\d|XX)$/i.test(status))
      .sort();
    const content = [...success, ...(success.length === 0 ? ['default'] : [])].map((status) =>
      objectAt(this.#document.resolve(responses[status]), 'content'),
    );
    const name = (schema: unknown) => nameRecords(this.#document, schema, path);
    for (const each of content) {
      const read = this.#content(each, name);
      if (read !== undefined) return { ...read, examples: this.#examplesIn(each) };
    }
    return { form: 'json', shape: undefined, examples: [] };
  }

  #examplesIn(content: JsonObject): unknown[] {
    return Object.values(content).flatMap((media) => [
      member(media, 'example'),
      ...Object.values(objectAt(media, 'examples')).map((each) =>
        this.#document.resolve(member(this.#document.resolve(each), 'value')),
      ),
    ]);
  }

  /** The form and shape of a request or response body; JSON if there is a choice. */
  #content(
    content: JsonObject,
    prepare = (schema: unknown) => schema,
    isBody = false,
  ): { readonly form: BodyForm; readonly shape: Shape } | undefined {
    const types = Object.keys(content);
    const type = types.find((each) => formOf(each) === 'json') ?? types[0];
    if (type === undefined) return undefined;
    return {
      form: formOf(type),
      shape: this.#shapes.read(prepare(member(content[type], 'schema')), isBody),
    };
  }
}

/** `issues/lock` and `tickets_close` begin with a tag, or a path word, which the resource's name has as well. */
function withoutGroup(id: string, groups: readonly string[]): string {
  const [, group = '', rest = ''] = /^([^/._]+)[/._](.+)$/.exec(id) ?? [];
  const same = groups.some((each) => singular(plainName(each)) === singular(plainName(group)));
  return rest !== '' && same ? rest : id;
}

/** True for an object without described members. */
const isEmptyObject = (shape: Shape): boolean =>
  shape.is === 'object' && shape.members.length === 0;

/** By media type (RFC 6838); a wildcard type is read as JSON. */
function formOf(type: string): BodyForm {
  const name = (type.split(';')[0] as string).trim().toLowerCase();
  if (/^(?:\*|application)\/\*$|[/+]json$/.test(name)) return 'json';
  if (name === 'multipart/form-data') return 'form';
  if (name === 'application/x-www-form-urlencoded') return 'search';
  if (/^text\/event-stream$|[/+](?:x-)?(?:ndjson|jsonl|json-seq)$/.test(name)) return 'stream';
  return /^text\/|[/+](?:xml|yaml)$/.test(name) ? 'text' : 'bytes';
}

/** Member names that mean "the rows", for any type of row. */
const GENERIC = new Set(
  `data item items result results entry entries content contents value values record records row rows list object
  objects edge edges node nodes doc docs document documents hit hits collection element elements member members embedded
  response payload body`.split(/\s+/),
);

/** The deepest nesting of an envelope. */
const DEEPEST = 3;

/** The schema of a response with a $ref in the place of each inline record. */
function nameRecords(document: ApiDocument, schema: unknown, path: string): unknown {
  const words = path.split('/').map((word) => word.replace(/\{[^{}]*\}|\.\w+$/g, ''));
  const noun = words.filter((word) => word !== '').at(-1) ?? 'record';
  return new RecordNamer(document, path).visit(schema, { noun, depth: DEEPEST, isRow: false });
}

interface Place {
  /** The name from the path, or from the member above. */
  readonly noun: string;
  /** How many more levels are searched for records. */
  readonly depth: number;
  readonly isRow: boolean;
}

class RecordNamer {
  readonly #document: ApiDocument;
  readonly #keys: ReadonlySet<string>;
  readonly #path: readonly string[];

  constructor(document: ApiDocument, path: string) {
    this.#document = document;
    this.#path = path
      .split('/')
      .filter((word) => word !== '' && !word.includes('{'))
      .map(singular);
    const params = [...path.matchAll(/\{([^{}]+)\}/g)].flatMap(([, name]) =>
      endsOf(name as string),
    );
    this.#keys = new Set(['id', 'uuid', ...params]);
  }

  visit(schema: unknown, place: Place): unknown {
    if (!isFields(schema) || place.depth < 0 || text(schema, '$ref') !== undefined) return schema;
    const depth = place.depth - 1;
    if (isFields(schema['items'])) {
      return { ...schema, items: this.visit(schema['items'], { ...place, depth, isRow: true }) };
    }
    const properties = Object.entries(objectAt(schema, 'properties'));
    if (properties.length === 0)
      return isExtended(schema) || isOneOf(schema) ? this.#named(schema, place) : schema;
    if (place.isRow || properties.some(([name]) => this.#keys.has(plainName(name))))
      return this.#named(schema, place);
    const inner = properties.map(([name, each]): [string, unknown] => {
      const noun = GENERIC.has(name.toLowerCase()) ? place.noun : name;
      return [name, this.visit(each, { noun, depth, isRow: false })];
    });
    return { ...schema, properties: Object.fromEntries(inner) };
  }

  #named(schema: JsonObject, { noun }: Place): JsonObject {
    const own = text(schema, 'title') ?? singular(noun);
    const above = this.#path.map((_, at, all) => all.slice(-at - 1).join(' '));
    return { $ref: this.#document.name([own, ...above.map((each) => longer(each, own))], schema) };
  }
}

/** True for a union of named records. */
function isOneOf(schema: JsonObject): boolean {
  const refs = [...list(schema, 'oneOf'), ...list(schema, 'anyOf')].map((each) =>
    text(each, '$ref'),
  );
  return refs.length > 1 && refs.every((ref) => ref !== undefined);
}

/** A named record with more members. */
function isExtended(schema: JsonObject): boolean {
  return list(schema, 'allOf').some((part) => text(part, '$ref') !== undefined);
}

/** `org label` for a label of an org. */
const longer = (above: string, ownName: string): string =>
  above.endsWith(ownName) ? above : `${above} ${ownName}`;
