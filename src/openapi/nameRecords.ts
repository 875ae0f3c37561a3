/** Names the records of a response that the document describes in place. */
import type { ApiDocument } from './ApiDocument.ts';
import { isFields, list, objectAt, text } from './JsonObject.ts';
import type { JsonObject } from './JsonObject.ts';
import { DEEPEST, endsOf, isGeneric, plainName, singular } from './ModuleNames.ts';

/** The schema of a response with a $ref in the place of each inline record. */
export function nameRecords(document: ApiDocument, schema: unknown, path: string): unknown {
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
  readonly #at: string;
  readonly #path: readonly string[];

  constructor(document: ApiDocument, path: string) {
    this.#document = document;
    this.#at = path;
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
    const hasKey = properties.some(([name]) => this.#keys.has(plainName(name)));
    if (hasKey || (place.isRow && !this.#isAround(properties))) return this.#named(schema, place);
    const inner = properties.map(([name, each]): [string, unknown] => {
      const noun = isGeneric(name) ? place.noun : name;
      return [name, this.visit(each, { noun, depth, isRow: false })];
    });
    return { ...schema, properties: Object.fromEntries(inner) };
  }

  /** True for the members of a row that holds the record: `{ cursor, node }`. */
  #isAround(properties: readonly (readonly [string, unknown])[]): boolean {
    return properties.some(
      ([name, each]) =>
        isGeneric(name) && isFields(objectAt(this.#document.resolve(each), 'properties')['id']),
    );
  }

  #named(schema: JsonObject, { noun }: Place): JsonObject {
    const own = text(schema, 'title') ?? singular(noun);
    const above = this.#path.map((_, at, all) => all.slice(-at - 1).join(' '));
    return {
      $ref: this.#document.name([own, ...above.map((each) => longer(each, own))], schema, this.#at),
    };
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
