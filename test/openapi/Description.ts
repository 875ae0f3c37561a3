/** A description in the form for the mock server: operations by address, schemas as JSON Schema 2020-12, and a validator. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export type Json = Readonly<Record<string, unknown>>;

export interface DescribedOperation {
  /** In capitals. */
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  /** The schema of the JSON of a success; undefined without JSON. */
  readonly response: unknown;
  readonly status: number;
  /** The media type of a success. */
  readonly type: string | undefined;
  /** The schema of the JSON or form that is sent. */
  readonly body: unknown;
  /** The media type of the request body; undefined without a body. */
  readonly sends: string | undefined;
  readonly query: readonly Parameter[];
  /** The parameters of the path, in order. */
  readonly params: readonly Parameter[];
}

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: unknown;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const ID = 'https://description.invalid/';

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export class Description {
  readonly operations: readonly DescribedOperation[];
  /** The addresses of servers that only some operations have. */
  readonly servers: readonly string[];
  readonly #root: Json;
  readonly #validator: Ajv2020;
  readonly #patterns: readonly { readonly of: DescribedOperation; readonly test: RegExp }[];

  readonly #targets = new Map<string, unknown>();

  /** Members that the server always sends, whatever is required. */
  readonly identifiers: readonly string[];

  /** A description of OpenAPI 3.1 without references to other files, in the form of `toDialect`. */
  constructor(root: Json, identifiers: readonly string[] = []) {
    this.identifiers = ['id', 'sid', 'uuid', ...identifiers];
    this.#root = root;
    // a description may say more than the dialect knows, and leave out `type`
    this.#validator = new Ajv2020({
      strict: false,
      validateSchema: false,
      logger: false,
      unicodeRegExp: false,
      inlineRefs: false,
      multipleOfPrecision: 6,
      // most schemas are used a few times: optimization would cost more than the result saves
      code: { optimize: false },
    });
    formats.default(this.#validator);
    this.operations = this.#read();
    this.servers = this.#otherServers();
    // of two matching paths, a path with text wins over a path with a parameter
    const sorted = [...this.operations].sort((a, b) => (form(a.path) < form(b.path) ? -1 : 1));
    this.#patterns = sorted.map((of) => ({ of, test: patternOf(of.path) }));
  }

  /** The operations at an address, with the values of their path parameters; the path with the most text first. */
  find(method: string, pathname: string): { of: DescribedOperation; values: string[] }[] {
    return this.#patterns.flatMap(({ of, test }) => {
      const found = of.method === method ? test.exec(pathname) : null;
      return found === null ? [] : [{ of, values: found.slice(1).map(decodeURIComponent) }];
    });
  }

  /** The schema behind a `$ref`, and behind further ones. */
  resolve(schema: unknown): Json {
    let at = schema;
    while (isObject(at) && typeof at['$ref'] === 'string') {
      const ref = at['$ref'];
      if (!this.#targets.has(ref)) this.#targets.set(ref, this.#target(ref));
      at = this.#targets.get(ref);
    }
    return isObject(at) ? at : {};
  }

  /** The faults of a value; undefined if the value is valid. The schema must be a part of the description. */
  complaint(schema: unknown, value: unknown): string | undefined {
    const check = this.#validator.compile(this.#anchored(schema));
    return check(value) ? undefined : this.#validator.errorsText(check.errors);
  }

  readonly #anchors = new WeakMap<object, Json>();

  /** The schema with each `$ref` as an address in this description; the same object for the same schema. */
  #anchored(schema: unknown): Json {
    if (!isObject(schema)) return {};
    const known = this.#anchors.get(schema);
    if (known !== undefined) return known;
    const text = JSON.stringify(schema, (key, value: unknown) =>
      key === '$ref' && typeof value === 'string' ? this.#idOf(value) : value,
    );
    const made = JSON.parse(text) as Json;
    this.#anchors.set(schema, made);
    return made;
  }

  readonly #ids = new Map<string, string>();

  /**
   * The address of the target of a `$ref` as a separate schema. The validator compiles that schema once, but a target
   * of a pointer again for each schema that refers to the target.
   */
  #idOf(ref: string): string {
    const known = this.#ids.get(ref);
    if (known !== undefined) return known;
    const id = ID + this.#ids.size;
    // first: the target may lead to itself
    this.#ids.set(ref, id);
    this.#validator.addSchema(this.#anchored(this.#target(ref)), id);
    return id;
  }

  #target(ref: string): unknown {
    const steps = ref.split('/').slice(1);
    return steps.reduce<unknown>((at, step) => {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      return (at as Json | undefined)?.[name];
    }, this.#root);
  }

  #read(): DescribedOperation[] {
    return Object.entries(this.#root['paths'] as Json).flatMap(([path, value]) => {
      const item = this.resolve(value);
      return METHODS.filter((method) => isObject(item[method])).map((method) =>
        this.#operation(method, path, item),
      );
    });
  }

  #otherServers(): string[] {
    const items = Object.values(this.#root['paths'] as Json).map((each) => this.resolve(each));
    const operations = items.flatMap((item) => METHODS.map((method) => this.resolve(item[method])));
    const servers = [...items, ...operations].flatMap((each) => listOf(each['servers']));
    const urls = servers.map((each) => String((each as Json)['url']).replace(/\/+$/, ''));
    return [...new Set(urls)].sort((first, second) => second.length - first.length);
  }

  #operation(method: string, path: string, item: Json): DescribedOperation {
    // descriptions of several files have an operation in each
    const said = this.resolve(item[method]);
    const responses = (said['responses'] ?? {}) as Json;
    const statuses = Object.keys(responses).filter((status) => status.startsWith('2'));
    const contents = statuses.map((each) => this.resolve(responses[each])['content']);
    const at = Math.max(
      0,
      contents.findIndex((content) => isObject(content) && Object.keys(content).length > 0),
    );
    const [type, response] = mediaOf(contents[at]);
    const [sends, body] = mediaOf(this.resolve(said['requestBody'])['content']);
    const parameters = this.#parameters(item, said);
    return {
      method: method.toUpperCase(),
      path,
      response: type !== undefined && /json/.test(type) ? response : undefined,
      status: Number(statuses[at]) || 200,
      type,
      body,
      sends,
      query: parameters.filter(({ place }) => place === 'query'),
      params: paramsIn(path).flatMap(
        (name) => parameters.find((each) => each.place === 'path' && each.name === name) ?? [],
      ),
    };
  }

  /** The parameters of an operation come after the parameters of the path, and win. */
  #parameters(item: Json, said: Json): (Parameter & { readonly place: unknown })[] {
    const all = [...listOf(item['parameters']), ...listOf(said['parameters'])];
    return all.reverse().map((each) => {
      const { name, in: place, required, schema } = this.resolve(each);
      return { name: String(name), place, required: required === true, schema };
    });
  }
}

/** The names of the parameters of a path. */
export const paramsIn = (path: string): string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name as string);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The media type and schema of a body; JSON where there is a choice. */
function mediaOf(content: unknown): [type: string | undefined, schema: unknown] {
  if (!isObject(content)) return [undefined, undefined];
  const types = Object.keys(content);
  const type = types.find((each) => /json/.test(each)) ?? types[0];
  return [type, type === undefined ? undefined : (content[type] as Json)['schema']];
}

const SEGMENT = /\{[^{}]+\}/g;

/** Text that sorts paths: parameters behind text. */
const form = (path: string): string => path.replace(SEGMENT, '\uffff');

function patternOf(path: string): RegExp {
  // some descriptions distinguish operations at an address by a fragment, which is never sent
  const [address] = path.split('#') as [string];
  const parts = address.split(SEGMENT).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('([^/]+?)')}$`);
}

/**
 * The schemas in the form for the validator. `nullable` beside a `$ref` or a combination becomes `null` as another choice.
 * `oneOf` becomes `anyOf`: published descriptions list choices that overlap, and no server could answer to the letter.
 */
export function toDialect(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toDialect);
  if (!isObject(value)) return value;
  const entries = Object.entries(value)
    .filter(([name, each]) => name !== 'nullable' || typeof each !== 'boolean')
    .map(
      ([name, each]) => [name === 'oneOf' && Array.isArray(each) ? 'anyOf' : name, each] as const,
    );
  const made = Object.fromEntries(entries.map(([name, each]) => [name, toDialect(each)]));
  if (typeof made['$ref'] === 'string')
    made['$ref'] = made['$ref'].replaceAll('/oneOf/', '/anyOf/');
  // lists of allowed values seldom name the null that the type allows
  if (Array.isArray(made['enum']) && Array.isArray(made['type']) && made['type'].includes('null')) {
    made['enum'] = [...new Set([...(made['enum'] as unknown[]), null])];
  }
  const isOpen = value['nullable'] === true && value['type'] === undefined;
  return isOpen ? { anyOf: [made, { type: 'null' }] } : made;
}
