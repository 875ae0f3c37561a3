/** Decodes the messages of another tab: endpoints and schemas in the place of their names. */
import { warn } from '../errors.ts';
import { Endpoint } from '../endpoint/Endpoint.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Commit, Issued, Write } from '../request/Events.ts';
import type { Args, Schema } from '../schema/schema.ts';
import type { Store } from '../store/Store.ts';
import type { Registry } from '../sync/Registry.ts';
import type {
  SerializedCommit,
  SerializedEndpoint,
  SerializedRequest,
  SerializedWrite,
} from './TabMessage.ts';
import type { SchemaRef } from './SchemaRef.ts';

export class TabMessageDecoder {
  readonly #registry: Registry;
  readonly #store: Store;

  constructor(registry: Registry, store: Store) {
    this.#registry = registry;
    this.#store = store;
  }

  /** A read with an unknown schema counts as a mutation, of which only the time of issue matters. */
  request({ id, at, title, read }: SerializedRequest): Issued {
    const schema = read && this.schema(read.schema);
    if (read === undefined || schema === undefined)
      return { id, at, key: title, args: [], read: false, endpoint: standIn({ title }, title) };
    const { key, args } = read;
    return { id, at, key, args, read: true, endpoint: standIn({ title }, key, schema.of) };
  }

  commit({ writes, ...told }: SerializedCommit): Commit {
    const known = writes.flatMap((write) => this.#write(write, told.time));
    return { ...told, written: 0, pending: [], writes: known };
  }

  #write({ schema: term, by, unsaid, ...write }: SerializedWrite, time: number): readonly Write[] {
    const here = write.key === undefined ? undefined : this.#store.findResult(write.key);
    if (unsaid === true) {
      // mounted readers do not refetch: if the response cannot be posted here either, two tabs would fetch for ever
      here?.expire(time);
      return [];
    }
    if (term === undefined)
      return here ? [{ key: here.key, schema: here.schema, args: here.args }] : [];
    const schema = this.schema(term);
    if (schema === undefined) return [];
    const endpoint = by === undefined ? undefined : this.#endpoint(by, write, schema.of);
    return [{ ...write, schema: schema.of, endpoint }];
  }

  #endpoint(
    by: SerializedEndpoint,
    { key = '' }: Partial<Write>,
    schema: Schema,
  ): EndpointInterface {
    const named = typeof by === 'string' ? this.#registry.named(by) : undefined;
    if (named !== undefined) return named as EndpointInterface;
    const { list, ...told } = typeof by === 'string' ? { title: by } : by;
    const of = list && this.schema(list.schema);
    if (list === undefined || of === undefined) return standIn(told, key, schema);
    return standIn(
      { ...told, list: { ...list, endpoint: standIn(told, list.key, of.of) } },
      key,
      schema,
    );
  }

  /** In an object, because the schema may be undefined; undefined if the name is unknown here. */
  schema(term: SchemaRef): { readonly of: Schema } | undefined {
    if (term === null) return { of: undefined };
    const name = typeof term === 'string' ? term : term[0];
    const schema = this.#registry.named(name);
    if (schema === undefined) warn('B4', name, { name });
    return schema && { of: name === term ? schema : [schema] };
  }
}

interface Told {
  readonly title: string;
  readonly sideEffect?: boolean | undefined;
  readonly method?: string | undefined;
  readonly list?: { readonly endpoint: EndpointInterface; readonly args: Args };
}

/** An endpoint of another tab, with the members that the store uses: it sends nothing. */
function standIn({ title, list, ...told }: Told, key: string, schema?: Schema): EndpointInterface {
  const nothing = () => Promise.resolve();
  const endpoint = new Endpoint(nothing, { name: title, schema, key: () => key });
  return Object.assign(endpoint, told, list && { listOf: () => list });
}
