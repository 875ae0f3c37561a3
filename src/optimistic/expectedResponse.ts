/** The responses that are expected to the changes of a resource with `optimistic: true`. */
import { formFields } from '../rest/formFields.ts';
import type { OptimisticResource, ResourceChange } from '../rest/optimisticMembers.ts';
import { path } from '../rest/path.ts';
import { setOwn, memberOf } from '../schema/fieldOf.ts';
import type { Args, Schema } from '../schema/schema.ts';

/** The members of the snapshot of a layer that these functions use. */
interface Known {
  get(schema: Schema, params: object): unknown;
  /** As `get`, where only these fields count. The snapshot of a controller lacks this. */
  getFields?(schema: Schema, args: readonly [object], names: readonly string[]): unknown;
  /** Thrown to skip the optimistic update. */
  readonly abort: Error;
}

type Expect = (snapshot: Known, ...args: unknown[]) => unknown;

const byResource = new WeakMap<OptimisticResource, Record<ResourceChange, Expect>>();

/** The response that is expected to a change. Throws `abort` for a request that cannot be sent. */
export function expectedResponse(
  this: Known,
  change: ResourceChange,
  resource: OptimisticResource,
  args: Args,
): unknown {
  let expected = byResource.get(resource);
  if (expected === undefined) byResource.set(resource, (expected = expectedOf(resource)));
  return expected[change](this, ...args);
}

function expectedOf(resource: OptimisticResource): Record<ResourceChange, Expect> {
  const { schema } = resource;
  const { names, required } = path(resource.path);
  const pathNames = [...names];
  /** Skips the optimistic update of a request that cannot be sent; its url throws the reason. */
  const needPath = (params: unknown, snapshot: Known): object => {
    for (const name of required) {
      const value = memberOf(params ?? {}, name);
      if (value === undefined || value === null) throw snapshot.abort;
    }
    return params as object;
  };
  const fieldsOf = (body: unknown, known?: object): object => {
    if (body instanceof FormData) return formFields(body, schema, known);
    return typeof body === 'object' && body !== null ? body : {};
  };
  return {
    change(snapshot, given, body) {
      const params = needPath(given, snapshot);
      const stored = snapshot.getFields
        ? snapshot.getFields(schema, [params], pathNames)
        : snapshot.get(schema, params);
      const known = stored ?? {};
      const fields = {};
      // the params of the path, `id` above all, identify the entity in the response
      for (const name of pathNames) {
        const value = memberOf(params, name);
        const current = memberOf(known, name);
        // params are often text where the entity has a number: an equal value keeps its type
        const isSame = String(current) === String(value);
        if (value !== undefined) setOwn(fields, name, isSame ? current : value);
      }
      // a spread takes engines ten times as long
      const written = Object.entries(fieldsOf(body, known));
      for (const [name, value] of written) setOwn(fields, name, value);
      return fields;
    },
    creation(_snapshot, ...args) {
      const body = args.pop();
      const row = (fields: unknown) => ({ ...(args[0] as object), ...fieldsOf(fields) });
      return Array.isArray(body) ? body.map(row) : row(body);
    },
    deletion: (snapshot, params) => needPath(params, snapshot),
  };
}
