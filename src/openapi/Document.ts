/** An OpenAPI document with checked $refs: its schemas by name, and the target of each $ref. */
import { stepsOf, targetOf } from './checkReferences.ts';
import { objectAt, isFields, list, member, text } from './JsonObject.ts';
import type { JsonObject } from './JsonObject.ts';
import { singular } from './ModuleNames.ts';

/** A schema with a name: a component, or another target of a $ref. */
export interface Definition {
  /** The name in the document: the last step of the $ref. */
  readonly name: string;
  /** Possible type names, the best first. */
  readonly names: readonly string[];
  readonly schema: unknown;
  /** True if null is allowed in addition to `schema`. */
  readonly nullable: boolean;
  /** True for a schema that the document describes inline, without a name. */
  readonly inline: boolean;
}

const COMPONENTS = '#/components/schemas/';

export class Document {
  readonly #root: JsonObject;
  readonly #definitions = new Map<unknown, Definition>();

  /** Schemas without a name in the document: by their content, and by the $ref that was created for them. */
  readonly #named = new Map<string, { readonly pointer: string; readonly schema: JsonObject }>();
  readonly #targets = new Map<string, Definition>();

  constructor(root: JsonObject) {
    this.#root = root;
    for (const [name, schema] of Object.entries(
      objectAt(objectAt(root, 'components'), 'schemas'),
    )) {
      this.#define(name, schema);
    }
  }

  /** All schemas with a name, components first; targets of other $refs are added when they are requested. */
  get definitions(): readonly Definition[] {
    return [...this.#definitions.values()];
  }

  get title(): string {
    const info = objectAt(this.#root, 'info');
    return `${text(info, 'title') ?? 'An API'} ${String(member(info, 'version') ?? '')}`.trim();
  }

  get paths(): JsonObject {
    return objectAt(this.#root, 'paths');
  }

  get securitySchemes(): JsonObject {
    return objectAt(objectAt(this.#root, 'components'), 'securitySchemes');
  }

  /** The names of requests that the server sends by itself. */
  get webhooks(): readonly string[] {
    return Object.keys(objectAt(this.#root, 'webhooks'));
  }

  /** The address of the first server with the default values of its variables; '' if the document names none. */
  get prefix(): string {
    const servers = member(this.#root, 'servers');
    const server: unknown = Array.isArray(servers) ? servers[0] : undefined;
    const variables = objectAt(server, 'variables');
    const filled = (text(server, 'url') ?? '').replace(/\{([^{}]*)\}/g, (hole, name: string) => {
      const preset = member(variables[name], 'default');
      return preset === undefined ? hole : String(preset);
    });
    return filled.replace(/\/+$/, '');
  }

  /** The value itself, or the final target of its $ref. */
  resolve(value: unknown): unknown {
    let at = value;
    // examples are not checked: a $ref in them may be circular
    const seen = new Set<unknown>();
    for (let ref = text(at, '$ref'); ref !== undefined && !seen.has(at); ref = text(at, '$ref')) {
      seen.add(at);
      at = this.#targets.get(ref)?.schema ?? targetOf(this.#root, ref);
    }
    return at;
  }

  /** The schema with a name that a $ref leads to. */
  definitionAt(ref: string): Definition {
    const named = this.#targets.get(ref);
    if (named !== undefined) return named;
    const schema = targetOf(this.#root, ref);
    const further = text(schema, '$ref');
    if (further !== undefined) return this.definitionAt(further);
    const steps = stepsOf(ref);
    if (ref.startsWith(COMPONENTS) && steps.length === 3)
      return this.#define(steps[2] as string, schema);
    const [name = 'schema', ...others] = namesOfPlace(this.#inFiles(steps));
    return this.#define(name, schema, { names: [name, ...others], inline: false });
  }

  /** Steps into another document begin with the name of its file. */
  #inFiles([first = '', second = '', ...others]: readonly string[]): readonly string[] {
    const file = first === 'x-ext' ? text(objectAt(this.#root, 'x-ext-urls'), second) : undefined;
    if (file === undefined) return [first, second, ...others];
    const name = (file.split('/').at(-1) ?? file).replace(/\.\w+$/, '');
    return [name, ...others];
  }

  /** The component that a discriminator names: by its $ref, or by its name. */
  definitionNamed(name: string): Definition | undefined {
    if (name.startsWith('#')) {
      return targetOf(this.#root, name) === undefined ? undefined : this.definitionAt(name);
    }
    return this.definitions.find((each) => each.name === name);
  }

  /** Names an inline schema; an equal schema with the same name shares it. */
  name(names: readonly string[], schema: JsonObject): string {
    const [wanted = 'record'] = names;
    const said = wanted + JSON.stringify(schema);
    const known = this.#named.get(said) ?? { pointer: `#/${wanted}/${this.#named.size}`, schema };
    this.#named.set(said, known);
    this.#targets.set(known.pointer, this.#define(wanted, known.schema, { names, inline: true }));
    return known.pointer;
  }

  #define(
    name: string,
    schema: unknown,
    said: Pick<Definition, 'names' | 'inline'> = { names: [name], inline: false },
  ): Definition {
    // schemas that are not objects have no identity, and need none
    const known = this.#definitions.get(isFields(schema) ? schema : name);
    if (known !== undefined) return known;
    const nullable = isNullableObject(schema);
    const own = { schema: nullable ? withoutNull(schema) : schema, nullable };
    const definition = { name, ...said, ...own };
    this.#definitions.set(isFields(schema) ? schema : name, definition);
    return definition;
  }
}

/** Steps of a pointer that do not describe the schema there. */
const PLACES = new Set(
  'components schemas responses content application/json schema properties items allof oneof anyof parameters'.split(
    ' ',
  ),
);

/** Names for a schema at any other $ref: `…/Droplets/…/properties/droplets/items` is a droplet, of Droplets. */
function namesOfPlace(steps: readonly string[]): string[] {
  const telling = steps.filter((step) => !/^\d+$/.test(step) && !PLACES.has(step.toLowerCase()));
  const isRow = steps.at(-1) === 'items';
  const words = telling.map((word, at) =>
    isRow && at === telling.length - 1 ? singular(word) : word,
  );
  return words.map((_, at) => words.slice(-at - 1).join(' '));
}

/** `type: [object, null]` with members: the named type is the object, and null is added where the name is used. */
function isNullableObject(schema: unknown): schema is JsonObject {
  const types = list(schema, 'type');
  return types.length === 2 && types.includes('object') && types.includes('null');
}

const withoutNull = (schema: JsonObject): JsonObject => ({
  ...schema,
  nullable: false,
  type: 'object',
});
