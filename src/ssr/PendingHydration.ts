/** Server data that were not read yet: results by their key, entities by their number. */
import type { Fields } from '../schema/schema.ts';
import type { DehydratedResult, ServerState } from './Dehydrator.ts';
import { decode } from '../schema/wire.ts';
import type { Json } from '../schema/wire.ts';

/** The result of one request. */
export interface HydrationChunk {
  /** The number of the part with the result: 1 is the first. */
  readonly part: number;
  readonly result: DehydratedResult;
}

/** A response to be staged: entities by their objects. */
export interface DecodedResult {
  readonly value: unknown;
  readonly knownPks: ReadonlyMap<unknown, string>;
}

interface Version {
  readonly part: number;
  readonly pk: string;
  readonly fields: Json;
}

export class PendingHydration {
  readonly chunks: Map<string, HydrationChunk> = new Map();
  readonly #entities = new Map<number, Version[]>();
  #parts = 0;

  receive({ entities, results }: ServerState): void {
    const part = ++this.#parts;
    for (const [number, pk, fields] of entities) {
      const versions = this.#entities.get(number) ?? [];
      versions.push({ part, pk, fields });
      this.#entities.set(number, versions);
    }
    for (const [key, result] of results) this.chunks.set(key, { part, result });
  }

  /** The response, with its entities as they were when part `until` was made. */
  decode(data: Json, until: number): DecodedResult {
    const objects = new Map<number, Fields>();
    const knownPks = new Map<unknown, string>();
    const line: (() => void)[] = [];
    const entity = (number: number): Fields => {
      const known = objects.get(number);
      if (known !== undefined) return known;
      const object: Fields = {};
      objects.set(number, object);
      const version = this.#entities
        .get(number)
        ?.filter(({ part }) => part <= until)
        .at(-1);
      if (version === undefined) return object;
      knownPks.set(object, version.pk);
      // a queue, because entities may contain each other, and be nested deeper than the call stack
      line.push(() => copyTo(object, decode(version.fields, entity) as Fields));
      return object;
    };
    const value = decode(data, entity);
    for (let next = line.pop(); next !== undefined; next = line.pop()) next();
    return { value, knownPks };
  }
}

function copyTo(target: object, fields: Fields): void {
  Object.defineProperties(target, Object.getOwnPropertyDescriptors(fields));
}
