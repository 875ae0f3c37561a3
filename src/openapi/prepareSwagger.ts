/** Rewrites the parts of a Swagger 2.0 document that the upgrade to OpenAPI 3 would leave out. */
import { escapeStep, targetOf } from './ApiDocument.ts';
import type { Finding } from './droppedIn.ts';
import { isFields, list, objectAt, text } from './JsonObject.ts';
import type { JsonObject } from './JsonObject.ts';

/** An object of the document that is being rewritten. */
type Draft = Record<string, unknown>;

/*
 *   in Swagger                                  here, for the upgrade
 *   a path in another file                      in place
 *   a body or a field by $ref, or of a path     a parameter, or the form, of each operation
 *   the fields of a form                        `requestBody`, with the style of each list
 *   a response by $ref, beside `produces`       in place
 *   collectionFormat: tsv                       style: tabDelimited, which this command alone has
 *   schemes and host                            `servers`, of the document and of operations
 */
/** Rewrites `root` in place, and returns the parts that cannot be written. */
export function prepareSwagger(root: JsonObject): Finding[] {
  // YAML reads 2.0 as a number, and the upgrade expects a text
  Object.assign(root, { swagger: '2.0' });
  const preparing = new Preparing(root);
  preparing.servers();
  const paths = objectAt(root, 'paths') as Draft;
  for (const [path, value] of Object.entries(paths)) {
    const item = preparing.resolve(value);
    if (!path.startsWith('/') || !isFields(item)) continue;
    const own = { ...item };
    paths[path] = own;
    preparing.path(own, `#/paths/${escapeStep(path)}`);
  }
  for (const [name, parameter] of Object.entries(objectAt(root, 'parameters')))
    preparing.parameter(parameter, `#/parameters/${escapeStep(name)}`);
  return preparing.findings;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
const FORM_TYPES = ['multipart/form-data', 'application/x-www-form-urlencoded'];

const OWN_SERVER = "the page's own server, since no host is described";

/** The schemes that fetch has. */
const isHttp = (scheme: unknown): scheme is string => scheme === 'http' || scheme === 'https';

class Preparing {
  readonly findings: Finding[] = [];
  readonly #root: Draft;
  /** The part of each address behind the scheme; undefined without a host. */
  #host: string | undefined;
  #scheme = 'http';

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** The value itself, or the target of the $ref; a $ref without a target stays, and is refused later. */
  resolve(value: unknown): unknown {
    const seen = new Set<unknown>();
    let at = value;
    for (let ref = text(at, '$ref'); ref !== undefined; ref = text(at, '$ref')) {
      const target = ref.startsWith('#') ? targetOf(this.#root, ref) : undefined;
      if (target === undefined || seen.has(target)) return value;
      seen.add(target);
      at = target;
    }
    return at;
  }

  /** `servers` of the document; without a host the address is a path, or unknown. */
  servers(): void {
    const host = text(this.#root, 'host');
    if (host === undefined) {
      if (list(this.#root, 'schemes').length > 0) this.#add('guessed', '#/schemes', OWN_SERVER);
      return;
    }
    this.#host = `${host}${text(this.#root, 'basePath') ?? ''}`;
    const schemes = this.#schemesOf(this.#root, '#');
    if (schemes.length === 0) this.#add('guessed', '#/host', 'http, since no scheme is described');
    const [first = 'http', ...others] = schemes;
    this.#scheme = first;
    this.#root['servers'] = [first, ...others].map((scheme) => this.#server(scheme));
    for (const name of ['host', 'basePath', 'schemes']) delete this.#root[name];
  }

  #server(scheme: string): JsonObject {
    return { url: `${scheme}://${this.#host}`, name: scheme };
  }

  /** The schemes of the document or an operation that fetch has. */
  #schemesOf(owner: JsonObject, place: string): readonly string[] {
    const all = list(owner, 'schemes');
    for (const [at, scheme] of all.entries())
      if (!isHttp(scheme))
        this.#add('dropped', `${place}/schemes/${at}`, `fetch does not support ${String(scheme)}`);
    return all.filter(isHttp);
  }

  path(item: Draft, place: string): void {
    const shared = list(item, 'parameters');
    const bodies = shared.filter((each) => isBody(this.resolve(each)));
    item['parameters'] = this.#inPlace(shared.filter((each) => !bodies.includes(each)));
    for (const [at, parameter] of shared.entries())
      this.parameter(parameter, `${place}/parameters/${at}`);
    for (const method of METHODS) {
      const given = item[method];
      if (!isFields(given)) continue;
      const operation: Draft = { ...given };
      item[method] = operation;
      this.#operation(operation, bodies, `${place}/${method}`);
    }
    if (list(item, 'parameters').length === 0) delete item['parameters'];
  }

  /** `bodies`: the body, or the fields of the form, of all operations of the path. */
  #operation(operation: Draft, bodies: readonly unknown[], place: string): void {
    const own = list(operation, 'parameters');
    for (const [at, parameter] of own.entries())
      this.parameter(parameter, `${place}/parameters/${at}`);
    const all = byPlace([...bodies, ...own].map((each) => [each, this.resolve(each)] as const));
    const fields = all.map(([, parameter]) => parameter).filter((each) => isIn(each, 'formData'));
    const others = all.filter(([, parameter]) => !isIn(parameter, 'formData'));
    operation['parameters'] = this.#inPlace(others.map(([given]) => given));
    if (fields.length > 0) operation['requestBody'] = this.#form(fields, operation, place);
    const schemes = this.#schemesOf(operation, place);
    if (schemes.length > 0 && this.#host === undefined)
      this.#add('guessed', `${place}/schemes`, OWN_SERVER);
    else if (schemes.length > 0 && !schemes.includes(this.#scheme))
      operation['servers'] = schemes.map((scheme) => this.#server(scheme));
    delete operation['schemes'];
    this.#responses(operation);
  }

  /** The upgrade reads a body by $ref nowhere, and other parameters by $ref of this file only. */
  #inPlace(parameters: readonly unknown[]): unknown[] {
    return parameters.map((each) => {
      const target = this.resolve(each);
      const isKnown = text(each, '$ref')?.startsWith('#/parameters/') === true && !isBody(target);
      return isKnown || target === each ? each : { ...(target as object) };
    });
  }

  /** The upgrade reads a response by $ref with the media types of the document, and only of this file. */
  #responses(operation: Draft): void {
    const responses: Draft = { ...objectAt(operation, 'responses') };
    for (const [status, response] of Object.entries(responses)) {
      const ref = text(response, '$ref');
      if (ref === undefined) continue;
      const isOwn = Array.isArray(operation['produces']) || !ref.startsWith('#/responses/');
      const target = this.resolve(response);
      if (!isOwn || !isFields(target)) continue;
      // the upgrade empties the headers after reading
      responses[status] = { ...target, headers: structuredClone(objectAt(target, 'headers')) };
    }
    if (Object.hasOwn(operation, 'responses')) operation['responses'] = responses;
  }

  #form(fields: readonly unknown[], operation: Draft, place: string): JsonObject {
    const given = [operation['consumes'], this.#root['consumes']].find(Array.isArray);
    const consumes = (given ?? []) as readonly string[];
    const types = consumes.filter((type) => FORM_TYPES.includes(type));
    const isFile = fields.some((each) => text(each, 'type') === 'file');
    if (types.length === 0 && !isFile)
      this.#add('guessed', place, `a form is ${FORM_TYPES[0]}, since \`consumes\` names no form`);
    const named = fields.map((each) => [text(each, 'name') ?? '', each as JsonObject] as const);
    const required = named.filter(([, each]) => each['required'] === true).map(([name]) => name);
    const properties = Object.fromEntries(named.map(([name, each]) => [name, schemaOf(each)]));
    const styles = named.flatMap(([name, each]) => {
      const style = styleOf(each);
      return style === undefined ? [] : [[name, style] as const];
    });
    const schema = { type: 'object', properties, ...(required.length > 0 && { required }) };
    const media = { schema, ...(styles.length > 0 && { encoding: Object.fromEntries(styles) }) };
    const sent = types.length > 0 ? types : FORM_TYPES.slice(0, 1);
    return { content: Object.fromEntries(sent.map((type) => [type, media])) };
  }

  /** The format of a list in a parameter. */
  parameter(parameter: unknown, place: string): void {
    if (text(parameter, '$ref') !== undefined || !isFields(parameter)) return;
    const format = text(parameter, 'collectionFormat');
    if (isIn(parameter, 'query') && format === 'tsv' && parameter['type'] === 'array')
      Object.assign(parameter, { style: 'tabDelimited', explode: false });
    for (let at = parameter['items'], depth = '/items'; isFields(at); depth += '/items') {
      if (text(at, 'type') === 'array')
        this.#add('guessed', `${place}${depth}`, 'nested lists are not joined');
      at = at['items'];
    }
  }

  #add(kind: Finding['kind'], place: string, reason: string): void {
    this.findings.push({ kind, place, reason });
  }
}

const isIn = (parameter: unknown, place: string): boolean => text(parameter, 'in') === place;

const isBody = (parameter: unknown): boolean =>
  isIn(parameter, 'body') || isIn(parameter, 'formData');

/** The last of several parameters with the same name in the same place. */
function byPlace<T extends readonly [unknown, unknown]>(all: readonly T[]): T[] {
  const keyOf = (parameter: unknown) =>
    isIn(parameter, 'body') ? 'body' : `${text(parameter, 'in')} ${text(parameter, 'name')}`;
  return [...new Map(all.map((each) => [keyOf(each[1]), each])).values()];
}

/** The members of a field that are no part of the schema. */
const OUTER = new Set(['name', 'in', 'required', 'collectionFormat', 'allowEmptyValue']);

const schemaOf = (field: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(field).filter(([name]) => !OUTER.has(name)));

/** How the list in a field is joined: by commas, unless the description names another format. */
function styleOf(field: JsonObject): JsonObject | undefined {
  if (text(field, 'type') !== 'array') return undefined;
  const format = text(field, 'collectionFormat') ?? 'csv';
  return STYLES[format] ?? undefined;
}

const STYLES: Readonly<Record<string, JsonObject | undefined>> = {
  csv: { style: 'form', explode: false },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
  tsv: { style: 'tabDelimited', explode: false },
};
