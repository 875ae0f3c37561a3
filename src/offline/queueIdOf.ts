/** Assigns mutations to queues: the mutations of a queue are sent in sequence. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { isEndpoint } from '../endpoint/argumentChecks.ts';
import { Delete } from '../schema/Delete.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import { kindOf, kindsIn } from '../schema/kindOf.ts';
import type { Args, Schema } from '../schema/schema.ts';
import type { Registry } from '../sync/Registry.ts';

/*
 *   update({ id: 5 }, …), delete({ id: 5 }), create({ id: 5, … })   the queue of the entity: the first argument that
 *                                                                  names a primary key says which
 *   create({ title: '…' })                                         the queue of all creations of this kind of entity
 *   an endpoint without entities in its schema                     the queue of the endpoint
 */

/** The queue of a mutation without temporary keys in the arguments. `registry` gives the name of the kind of entity. */
export function queueIdOf(registry: Registry, endpoint: EndpointInterface, args: Args): string {
  const kind = entityIn(endpoint.schema);
  if (kind === undefined) return registry.nameOf(endpoint) ?? endpoint.name;
  const name = registry.nameOf(kind.Class) ?? kind.title;
  for (const arg of args) {
    const pk = kind.pkInArgs([arg]);
    if (pk !== undefined) return `${name} ${pk}`;
  }
  return name;
}

/** The mutation with this name; undefined if there is none. */
export function mutationNamed(registry: Registry, name: string): EndpointInterface | undefined {
  const named = registry.named(name);
  return isEndpoint(named) && named.sideEffect ? named : undefined;
}

/** The first kind of entity in a schema. */
function entityIn(schema: Schema): EntityKind | undefined {
  if (schema === undefined) return undefined;
  const about: Schema = schema instanceof Delete ? schema.entity : schema;
  const kinds = [...kindsIn(kindOf(about, 'schema'))];
  return kinds.find((kind) => kind instanceof EntityKind);
}

/** Undefined if the endpoint has no address, or no address for these arguments. */
export function urlOf(endpoint: EndpointInterface, args: Args): string | undefined {
  const { url } = endpoint as { readonly url?: unknown };
  if (typeof url !== 'function') return undefined;
  try {
    return String(url.apply(endpoint, args));
  } catch {
    // the request fails with the same error
    return undefined;
  }
}
