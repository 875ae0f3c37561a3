/** The optimistic responses of a resource: the module `optimistic` computes them, so that others do not carry it. */
import type { Args, Schema } from '../schema/schema.ts';

/** The kinds of changes of a resource. */
export type ResourceChange = 'change' | 'creation' | 'deletion';

/** The resource of a change. */
export interface OptimisticResource {
  readonly path: string;
  readonly schema: Schema;
}

/** The member of the controller's snapshot that these functions use. A snapshot of a test may lack it. */
interface Expecting {
  expected?(change: ResourceChange, resource: OptimisticResource, args: Args): unknown;
}

type Expect = (snapshot: Expecting, ...args: unknown[]) => unknown;

/** A `getOptimisticResponse` for each kind of change. */
export function optimisticMembers(resource: OptimisticResource): Record<ResourceChange, Expect> {
  const expect =
    (change: ResourceChange): Expect =>
    (snapshot, ...args) =>
      snapshot.expected?.(change, resource, args);
  return { change: expect('change'), creation: expect('creation'), deletion: expect('deletion') };
}
