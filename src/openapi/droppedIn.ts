/** The parts of a description that are not written, and the decisions without a word of the description. */
import { escapeStep, isBase } from './ApiDocument.ts';
import type { ApiDocument, Definition } from './ApiDocument.ts';
import { isFields, list, member, objectAt, text } from './JsonObject.ts';
import type { JsonObject } from './JsonObject.ts';
import { OBJECT_MEMBERS, endsOf, plainName } from './ModuleNames.ts';
import { BODILESS, METHODS } from './operationsOf.ts';
import { serversIn } from './Servers.ts';
import type { Server } from './Servers.ts';
import { isJsonType, readContent } from './readContent.ts';
import type { BodyForm } from './readContent.ts';
import { isNestedParam } from './ParameterReader.ts';
import type { Writers } from './Schemas.ts';
import { hasScheme } from './securityText.ts';
import { textOfPath } from './Path.ts';
import { isNull, withoutNull } from './Shape.ts';
import type { Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';
import { HIDDEN } from './printEntity.ts';

const INDISTINCT_RECORDS = 'no member distinguishes these records: each is plain data';

/** A line for the user. */
export interface Finding {
  readonly kind: 'dropped' | 'guessed';
  /** A JSON pointer into the description. */
  readonly place: string;
  readonly reason: string;
}

/** A schema keyword without an expression in TypeScript; keywords that only limit values are no part of a type. */
const WORDLESS =
  '$dynamicRef not if then else dependentSchemas dependentRequired unevaluatedProperties unevaluatedItems propertyNames contains dependencies contentSchema'.split(
    ' ',
  );

/** The parts of a document that are not written; `sent` are the schemas of requests only. */
export function droppedIn(
  document: ApiDocument,
  writers: Writers,
  sent: ReadonlySet<Definition>,
): Finding[] {
  const found = new Dropped(document, writers);
  for (const [path, value] of Object.entries(document.paths)) found.path(path, value);
  found.servers(document.servers, '#');
  for (const name of document.webhooks)
    found.add(`#/webhooks/${escapeStep(name)}`, 'the server sends this request');
  for (const [name, given] of Object.entries(document.securitySchemes)) {
    const scheme = document.resolve(given);
    const inCookie = text(scheme, 'type') === 'apiKey' && text(scheme, 'in') === 'cookie';
    if (!hasScheme(name, scheme) && !inCookie)
      found.add(
        `#/components/securitySchemes/${escapeStep(name)}`,
        '`authorize` adds nothing for this scheme',
      );
  }
  for (const each of document.definitions)
    found.schema(each.schema, each.place, { isSent: sent.has(each) });
  return found.all;
}

/** Bodies that are not taken apart, whatever the schema says. */
const UNREAD: Partial<Record<BodyForm, string>> = {
  text: 'a string',
  bytes: 'bytes',
  stream: 'a stream',
};

/** Where a schema is. */
interface SchemaUse {
  /** True for a part of an entity. */
  readonly isPart?: boolean;
  /** True for a schema of requests. */
  readonly isSent: boolean;
}

class Dropped {
  readonly #document: ApiDocument;
  readonly #shapes: Shapes;
  readonly #writers: Writers;
  /** The schemas with a name, and those of entities. */
  readonly #definitions: ReadonlyMap<unknown, Definition>;
  readonly #entities: ReadonlySet<unknown>;
  readonly #found = new Map<string, Finding>();
  readonly #seen = new Set<unknown>();

  constructor(document: ApiDocument, writers: Writers) {
    this.#document = document;
    this.#shapes = writers.shapes;
    this.#writers = writers;
    this.#definitions = new Map(document.definitions.map((each) => [each.schema, each]));
    const records = document.definitions.filter((each) => writers.identities.of(each));
    this.#entities = new Set(records.map(({ schema }) => schema));
  }

  get all(): Finding[] {
    return [...this.#found.values()];
  }

  add(place: string, reason: string, kind: Finding['kind'] = 'dropped'): void {
    if (!this.#found.has(place)) this.#found.set(place, { kind, place, reason });
  }

  path(path: string, value: unknown): void {
    const place = `#/paths/${escapeStep(path)}`;
    const item = this.#document.resolve(value);
    if (path.includes('#')) this.add(place, 'the fragment after # is not sent', 'guessed');
    if (!path.startsWith('/')) {
      if (!path.startsWith('x-')) this.add(place, 'a path begins with a slash');
      return;
    }
    if (!isFields(item)) return;
    if (isFields(item['trace'])) this.add(`${place}/trace`, 'fetch cannot send TRACE');
    this.#parameters(item, place);
    this.servers(serversIn(item), place);
    for (const method of METHODS) {
      const described = this.#document.resolve(item[method.toLowerCase()]);
      if (!isFields(described)) continue;
      const at = `${place}/${method.toLowerCase()}`;
      const { requestBody, ...rest } = described;
      const isBodiless = BODILESS.has(method);
      if (isBodiless && this.#describesValue(requestBody))
        this.add(`${at}/requestBody`, `fetch cannot send a body with ${method}`);
      this.#operation(isBodiless ? rest : described, at);
    }
    for (const [method, operation] of Object.entries(objectAt(item, 'additionalOperations')))
      if (isFields(operation))
        this.#operation(operation, `${place}/additionalOperations/${method}`);
  }

  /** False for an object without members, which generators write where there is no body. */
  #describesValue(body: unknown): boolean {
    const content = this.#document.contentOf(this.#document.resolve(body));
    return Object.values(content).some((media) => {
      const schema = this.#document.resolve(member(media, 'schema'));
      const members = ['properties', 'additionalProperties'].map((name) => objectAt(schema, name));
      const isEmpty = members.every((each) => Object.keys(each).length === 0);
      return !isEmpty || text(schema, 'type') !== 'object';
    });
  }

  /** Variables in an address that neither a default nor an option can fill. */
  servers(servers: readonly Server[], place: string): void {
    for (const [at, { url, variables }] of servers.entries())
      for (const [hole, name] of url.matchAll(/\{([^{}]*)\}/g))
        if (variables.every((each) => each.name !== name))
          this.add(`${place}/servers/${at}/url`, `${hole} has no value`, 'guessed');
  }

  #operation(described: JsonObject, place: string): void {
    this.servers(serversIn(described), place);
    this.#parameters(described, place);
    for (const name of Object.keys(objectAt(described, 'callbacks')))
      this.add(`${place}/callbacks/${escapeStep(name)}`, 'the server sends this request');
    const body = this.#document.resolve(described['requestBody']);
    const bodyPlace = this.#placeOf(described['requestBody'], `${place}/requestBody`);
    this.#content(body, { place: bodyPlace, verb: 'sent' });
    for (const [status, given] of Object.entries(objectAt(described, 'responses'))) {
      const response = this.#document.resolve(given);
      const at = this.#placeOf(given, `${place}/responses/${status}`);
      this.#content(response, { place: at, verb: 'read' });
      for (const [name, header] of Object.entries(objectAt(response, 'headers'))) {
        if (/^(?:link|content-type|retry-after|etag|last-modified|cache-control)$/i.test(name))
          continue;
        const headerPlace = this.#placeOf(header, `${at}/headers/${escapeStep(name)}`);
        this.add(headerPlace, 'response headers are not read');
      }
      for (const [name, link] of Object.entries(objectAt(response, 'links')))
        this.add(
          this.#placeOf(link, `${at}/links/${escapeStep(name)}`),
          'response links are not generated',
        );
    }
  }

  /** The place of the target of a $ref: a target of many references is a single line. */
  #placeOf(value: unknown, place: string): string {
    return text(value, '$ref') ?? place;
  }

  #parameters(owner: JsonObject, place: string): void {
    for (const [index, given] of list(owner, 'parameters').entries()) {
      const parameter = this.#document.resolve(given);
      const at = this.#placeOf(given, `${place}/parameters/${index}`);
      const where = text(parameter, 'in');
      if (where === 'path') this.#segment(parameter, at);
      if (where === 'query') this.#search(parameter, at);
      if (where === 'querystring')
        this.add(at, 'a query string as a single value is not supported');
      this.schema(member(parameter, 'schema'), `${at}/schema`, { isSent: true });
    }
  }

  /** A param of the path. */
  #segment(parameter: unknown, place: string): void {
    const { is } = this.#follow(member(parameter, 'schema'));
    if (is === 'list' || is === 'tuple' || is === 'object')
      this.add(place, 'a list or an object in a path is typed as a string', 'guessed');
  }

  /** A param of the query. */
  #search(parameter: unknown, place: string): void {
    this.#reserved(parameter, place);
    const [type, media] = Object.entries(this.#document.contentOf(parameter))[0] ?? [];
    if (type === undefined) return this.#nested(parameter, place);
    if (isJsonType(type)) return;
    const { is } = this.#follow(member(media, 'schema'));
    if (is !== 'word' && is !== 'date')
      this.add(`${place}/content`, `the value is not encoded as ${type}`, 'guessed');
  }

  /** A value without a form in the style of the param. */
  #nested(parameter: unknown, place: string): void {
    const style = text(parameter, 'style') ?? 'form';
    const explode = member(parameter, 'explode') ?? style === 'form';
    const shape = this.#shapes.read(member(parameter, 'schema'));
    // of version 2 a list in a list is said already
    if (this.#document.findings.some((each) => each.place.startsWith(`${place}/`))) return;
    if (style !== 'deepObject' && isNestedParam(shape, explode === true, this.#shapes))
      this.add(place, 'nested objects and lists are sent in brackets', 'guessed');
  }

  #reserved(owner: unknown, place: string): void {
    if (member(owner, 'allowReserved') === true)
      this.add(`${place}/allowReserved`, 'reserved characters are percent-encoded');
  }

  #content(
    owner: unknown,
    { place, verb }: { readonly place: string; readonly verb: 'sent' | 'read' },
  ): void {
    const content = this.#document.contentOf(owner);
    const shapes = this.#shapes;
    const { type: chosen, form } =
      readContent(content, (schema) => shapes.read(schema), shapes) ?? {};
    for (const [type, media] of Object.entries(content)) {
      const at = `${place}/content/${escapeStep(type)}`;
      if (chosen !== undefined && type !== chosen) this.add(at, `${chosen} is ${verb}`);
      else this.#media(media, at, verb === 'sent');
      const whole = chosen === type && form !== undefined ? UNREAD[form] : undefined;
      if (whole !== undefined && this.#isStructured(member(media, 'schema')))
        this.add(`${at}/schema`, `the body is ${whole}`);
    }
  }

  /** True for a value with members, or a list. */
  #isStructured(schema: unknown): boolean {
    const followed = this.#follow(schema);
    if (followed.is === 'object') return followed.members.length > 0;
    return followed.is === 'list' || followed.is === 'all' || followed.is === 'tuple';
  }

  #media(media: unknown, place: string, isSent: boolean): void {
    this.schema(member(media, 'schema'), `${place}/schema`, { isSent });
    for (const name of ['itemSchema', 'itemEncoding', 'prefixEncoding'])
      if (member(media, name) !== undefined)
        this.add(`${place}/${name}`, 'the items of a stream are not typed');
    const encodings = Object.entries(objectAt(media, 'encoding'));
    if (encodings.length === 0) return;
    const form = this.#follow(member(media, 'schema'));
    const fields = form.is === 'object' ? form.members.map(({ name }) => name) : [];
    for (const [name, encoding] of encodings) {
      const at = `${place}/encoding/${escapeStep(name)}`;
      if (!fields.includes(name)) this.add(at, 'the form has no field of this name');
      this.#reserved(encoding, at);
      for (const part of ['headers', 'encoding'])
        if (Object.keys(objectAt(encoding, part)).length > 0)
          this.add(`${at}/${part}`, `parts are sent without ${part}`);
    }
  }

  /** The shape of a schema, without null and names. */
  #follow(schema: unknown): Shape {
    return this.#shapes.follow(withoutNull(this.#shapes.read(schema)).shape);
  }

  /** Alternatives with records, if no schema of the library finds these. */
  #variants(schema: JsonObject, place: string): void {
    const { identities, reach } = this.#writers;
    const definition = this.#definitions.get(schema);
    const shape = definition ? this.#shapes.of(definition) : this.#shapes.read(schema);
    const { shape: inner } = withoutNull(shape);
    const isRead = inner.is === 'choice' ? identities.isToldApart(inner) : inner.is === 'object';
    if (isRead || identities.oneIn(inner) !== undefined) return;
    for (const kind of ['anyOf', 'oneOf']) {
      const variants = list(schema, kind)
        .map((each) => withoutNull(this.#shapes.read(each)).shape)
        .filter((each) => !isNull(each));
      if (variants.length < 2 || !variants.some((each) => reach.holdsIn(each))) continue;
      const records = variants.filter((each) => identities.entitiesIn(each).length > 0);
      const isMixed = records.length < variants.length;
      const values = isMixed
        ? 'a record in a union with other values is plain data'
        : INDISTINCT_RECORDS;
      const reason = records.length > 0 ? values : 'a record nested in a union is plain data';
      this.add(`${place}/${kind}`, reason);
    }
  }

  /** Keywords in a schema with a name, and in the inner schemas. */
  schema(schema: unknown, place: string, { isPart = false, isSent }: SchemaUse): void {
    if (!isFields(schema) || this.#seen.has(schema)) return;
    this.#seen.add(schema);
    const isEntity = isPart || this.#entities.has(schema);
    if (!isSent) this.#variants(schema, place);
    for (const word of WORDLESS)
      if (Object.hasOwn(schema, word))
        this.add(`${place}/${word}`, `TypeScript has no type for \`${word}\``);
    if (member(schema['discriminator'], 'defaultMapping') !== undefined)
      this.add(
        `${place}/discriminator/defaultMapping`,
        'values outside of the mapping have no schema',
      );
    const properties = Object.entries(objectAt(schema, 'properties'));
    const isClosed = properties.length > 0 || Object.hasOwn(schema, '$ref');
    if (isClosed && isFields(schema['additionalProperties']))
      if (Object.keys(schema['additionalProperties']).length > 0)
        this.add(
          `${place}/additionalProperties`,
          'additional members are not typed beside described members',
        );
    for (const [name, inner] of properties) {
      const at = `${place}/properties/${escapeStep(name)}`;
      if (isEntity && HIDDEN.has(name))
        this.add(
          at,
          `an entity cannot have the field ${name}: ${OBJECT_MEMBERS.has(name) ? 'each object has this member' : 'the library uses this name'}`,
        );
      this.schema(inner, at, { isSent });
    }
    for (const kind of this.#entities.has(schema) ? ['anyOf', 'oneOf'] : [])
      if (list(schema, kind).some((each) => isBase(this.#document.resolve(each))))
        this.add(`${place}/${kind}`, 'a record has the members of all its variants');
    const patterns = objectAt(schema, 'patternProperties');
    if (
      Object.keys(patterns).length > 1 ||
      (Object.keys(patterns).length > 0 && properties.length > 0)
    )
      this.add(`${place}/patternProperties`, 'members with several patterns are not typed');
    for (const [name, inner] of Object.entries(patterns))
      this.schema(inner, `${place}/patternProperties/${escapeStep(name)}`, { isSent });
    for (const kind of ['items', 'additionalProperties'])
      this.schema(schema[kind], `${place}/${kind}`, { isSent });
    for (const kind of ['allOf', 'anyOf', 'oneOf', 'prefixItems'])
      for (const [at, inner] of list(schema, kind).entries())
        this.schema(inner, `${place}/${kind}/${at}`, {
          isPart: isEntity && kind === 'allOf',
          isSent,
        });
  }
}

/** The decisions without a word of the description. */
export function guessesIn(definitions: readonly Definition[], writers: Writers): Finding[] {
  const { identities, types } = writers;
  const found: Finding[] = [];
  const add = (place: string, reason: string) =>
    void found.push({ kind: 'guessed', place, reason });
  for (const each of definitions) {
    const shape = writers.shapes.of(each);
    const by = shape.is === 'choice' ? shape.by : undefined;
    for (const value of by?.guesses ?? []) {
      const of = by?.names.get(value);
      const name = of?.kindOf?.name ?? of?.name;
      add(each.place, `${value} selects ${name}: the names are similar`);
    }
  }
  const mains = definitions.filter(
    (each) => identities.of(each) !== undefined && !identities.isForm(each),
  );
  for (const main of mains) {
    const name = types.nameOf(main, 'read');
    for (const form of identities.forms.of(main)) {
      const reason = identities.forms.reasonOf(form);
      if (form !== main && reason !== undefined && !reason.startsWith('it is '))
        add(form.place, `a form of ${name}: ${reason}`);
    }
    const home = identities.homeOf(main);
    if (home === undefined) continue;
    const place = `#/paths/${escapeStep(textOfPath(home))}`;
    for (const {
      param,
      member: [own, inner],
    } of identities.of(main)?.parts ?? []) {
      if (param === undefined || own === undefined || inner !== undefined) continue;
      const isNamed = endsOf(param).some((end) => plainName(end) === plainName(own));
      // `{todo}` is the id, or the name, of a todo
      const isUsual = own === 'id' || plainName(param).startsWith(plainName(own));
      if (!isNamed && !isUsual) add(place, `{${param}} is the member ${own} of ${name}`);
    }
  }
  return found.sort((a, b) => (a.place < b.place ? -1 : 1));
}

/** `dropped: #/paths/~1todos/trace: …`. */
export const lineOf = ({ kind, place, reason }: Finding): string => `${kind}: ${place}: ${reason}`;
