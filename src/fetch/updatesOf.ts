/** What an answer changes in what other requests show, as its endpoint's `update` says. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { ObjectNode } from '../schema/containers.ts';
import { carried } from '../schema/schema.ts';
import type { Args, Node } from '../schema/schema.ts';
import { EntityRecord } from '../store/EntityRecord.ts';
import { ListRecord } from '../store/ListRecord.ts';
import type { Other, Store } from '../store/Store.ts';

interface Call {
  readonly endpoint: EndpointInterface;
  readonly args: Args;
}

/** What `update` makes of the results that are stored. Throws what its functions throw. */
export function updatesOf(store: Store, { endpoint, args }: Call, node: Node): Other[] {
  const changes = endpoint.update?.(keysIn(node), ...args) ?? {};
  return Object.entries(changes).flatMap(([key, change]) => {
    const result = store.results.get(key);
    return result?.node === undefined ? [] : [{ result, value: change(keysIn(result.node)) }];
  });
}

/** A node as a normalized answer is usually written: primary keys in the place of entities. */
function keysIn(node: Node): unknown {
  if (node instanceof EntityRecord) return node.pk;
  if (node instanceof ListRecord) return node.members?.map((member) => member.pk);
  if (Array.isArray(node)) return node.map(keysIn);
  if (!(node instanceof ObjectNode)) return carried(node);
  const inner = Object.entries(node.inner).map(([name, value]) => [name, keysIn(value)]);
  return { ...node.rest, ...Object.fromEntries(inner) };
}
