/** Reads the operations of a document: their parameters and responses, with names for records that have none. */
import type { Path } from './Path.ts';
import type { Member, Shape } from './Shape.ts';
import { escapeStep, securityIn } from './ApiDocument.ts';
import type { ApiDocument, SecurityNames } from './ApiDocument.ts';
import { objectAt, isFields, list, member, text } from './JsonObject.ts';
import type { JsonObject } from './JsonObject.ts';
import { camel, plainName, singular } from './ModuleNames.ts';
import { pageHintOf } from './pageHintOf.ts';
import type { PageHint } from './pageHintOf.ts';
import { parseSteps } from './Path.ts';
import { readContent } from './readContent.ts';
import type { BodyForm, MediaContent } from './readContent.ts';
import { nameRecords } from './nameRecords.ts';
import { ParameterReader } from './ParameterReader.ts';
import type { SearchParam } from './ParameterReader.ts';
import { serversIn } from './Servers.ts';
import type { Server } from './Servers.ts';
import { UNKNOWN_SHAPE, docOf } from './Shape.ts';
import type { Renames } from './Renames.ts';
import type { Shapes } from './Shapes.ts';

/** In capitals: `GET`, or any other method of the description. */
export type Method = string;

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
  /** The servers of the operation, or those of the path; none: those of the document. */
  readonly servers: readonly Server[];
  /** The types of the params in the path. */
  readonly params: ReadonlyMap<string, Shape>;
  readonly query: readonly SearchParam[];
  readonly headers: readonly Member[];
  readonly cookies: readonly Member[];
  readonly body: RequestBody | undefined;
  readonly response: ResponseContent;
  /** How pages are addressed, if the names of the params do not tell. */
  readonly pages: PageHint;
  /** A JSON pointer to the operation. */
  readonly place: string;
  /** Alternatives of security schemes; undefined: those of the document. */
  readonly security: SecurityNames | undefined;
  readonly doc: string | undefined;
  readonly isDeprecated: boolean;
}

/** The request body. */
export interface RequestBody extends MediaContent {
  /** True if the description allows a request without a body. */
  readonly isOptional: boolean;
}

/** The response of a success; without a shape, there is no body. */
export interface ResponseContent {
  readonly form: BodyForm;
  readonly shape: Shape | undefined;
  /** The examples in the description. */
  readonly examples: readonly unknown[];
  /** All successes, including this response. */
  readonly successes: readonly StatusOutcome[];
  readonly errors: readonly StatusOutcome[];
}

/** The response for a status. */
export interface StatusOutcome {
  /** `204`, `5XX` or `default`. */
  readonly status: string;
  /** Undefined for a response without a body. */
  readonly content: MediaContent | undefined;
}

/** The methods that a path describes by name. */
export const METHODS: readonly Method[] = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'QUERY',
];

/** Methods that fetch sends without a body. */
export const BODILESS: ReadonlySet<Method> = new Set(['GET', 'HEAD']);

/** All operations, in the order of the document. */
export function operationsOf(
  document: ApiDocument,
  shapes: Shapes,
  renames: Renames,
): DescribedOperation[] {
  const reader = new OperationReader(document, shapes, renames);
  const read = <T>(readOne: (...operation: Parameters<OperationReader['operation']>) => T) =>
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
        return isFields(described) ? [readOne(method, path, { item, described })] : [];
      });
    });
  // rows may precede the path that names the record, so all responses are read twice
  read((_, path, { described }) => reader.response(described, path));
  return read((...operation) => reader.operation(...operation));
}

class OperationReader {
  readonly #document: ApiDocument;
  readonly #shapes: Shapes;
  readonly #renames: Renames;
  readonly #parameters: ParameterReader;

  constructor(document: ApiDocument, shapes: Shapes, renames: Renames) {
    this.#document = document;
    this.#shapes = shapes;
    this.#renames = renames;
    this.#parameters = new ParameterReader(document, shapes);
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
    const summary = text(described, 'summary');
    const segments = parseSteps(path, this.#parameters.leads(parameters));
    return {
      name: givenName ?? camel(id),
      shortName: givenName ?? camel(withoutGroup(id, [...tags, ...path.split('/')])),
      isRenamed: givenName !== undefined,
      method,
      path,
      segments,
      servers: [described, item].map(serversIn).find(({ length }) => length > 0) ?? [],
      params: this.#parameters.path(parameters),
      query: this.#parameters.query(parameters, segments),
      headers: this.#parameters.plain(parameters, 'header'),
      cookies: this.#parameters.plain(parameters, 'cookie'),
      body: BODILESS.has(method) ? undefined : this.#body(method, described),
      response: this.response(described, path),
      pages: pageHintOf(described, parameters, this.#document),
      place: `#/paths/${escapeStep(path)}/${method.toLowerCase()}`,
      security: securityIn(described),
      doc: docOf({ ...described, ...(summary !== undefined && { description: summary }) }),
      isDeprecated: described['deprecated'] === true,
    };
  }

  #body(method: Method, described: JsonObject): RequestBody | undefined {
    const request = this.#document.resolve(described['requestBody']);
    const found = readContent(
      this.#document.contentOf(request),
      (schema) => this.#shapes.read(schema, true),
      this.#shapes,
    );
    const required = member(request, 'required');
    const isOptional = method === 'DELETE' ? required !== true : required === false;
    if (found === undefined || (isOptional && isEmptyObject(found.shape))) return undefined;
    return { ...found, isOptional };
  }

  /** Names the records of a response that have no name. */
  response(described: JsonObject, path: string): ResponseContent {
    const responses = objectAt(described, 'responses');
    const statuses = Object.keys(responses).sort();
    const named = statuses.filter((status) => /^2(\d\d|XX)$/i.test(status));
    const success = named.length === 0 ? statuses.filter((each) => each === 'default') : named;
    const others = statuses.filter(
      (each) => !success.includes(each) && /^[345]|^default$/.test(each),
    );
    const contentAt = (status: string) =>
      this.#document.contentOf(this.#document.resolve(responses[status]));
    const successes = success.map((status): StatusOutcome => {
      const name = (schema: unknown) => nameRecords(this.#document, schema, path);
      const read = (schema: unknown) => this.#shapes.read(name(schema));
      return { status, content: received(readContent(contentAt(status), read, this.#shapes)) };
    });
    const errors = others.map((status): StatusOutcome => {
      const read = (schema: unknown) => this.#shapes.read(schema);
      return { status, content: readContent(contentAt(status), read, this.#shapes) };
    });
    const main = successes.find(({ content }) => content !== undefined);
    if (main?.content === undefined)
      return { form: 'json', shape: undefined, examples: [], successes, errors };
    const { form, shape } = main.content;
    const examples = this.#examplesIn(contentAt(main.status));
    return { form, shape, examples, successes, errors };
  }

  #examplesIn(content: JsonObject): unknown[] {
    return Object.values(content).flatMap((media) => [
      member(media, 'example'),
      ...Object.values(objectAt(media, 'examples')).map((each) =>
        this.#document.resolve(member(this.#document.resolve(each), 'value')),
      ),
    ]);
  }
}

/** A record that is not sent as JSON is a text, a stream or bytes, and not read as a record. */
const received = (content: MediaContent | undefined): MediaContent | undefined =>
  content === undefined || content.form === 'json' ? content : { ...content, shape: UNKNOWN_SHAPE };

/** `issues/lock` and `tickets_close` begin with a tag, or a path word, which the resource's name has as well. */
function withoutGroup(id: string, groups: readonly string[]): string {
  const [, group = '', rest = ''] = /^([^/._]+)[/._](.+)$/.exec(id) ?? [];
  const same = groups.some((each) => singular(plainName(each)) === singular(plainName(group)));
  return rest !== '' && same ? rest : id;
}

/** True for an object without described members. */
const isEmptyObject = (shape: Shape): boolean =>
  shape.is === 'object' && shape.members.length === 0;
