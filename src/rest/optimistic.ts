/** Optimistic responses for the changes of a resource, visible until the server responds. */
import { setOwn } from '../schema/equal.ts';
import { memberOf } from '../schema/memberOf.ts';
import type { Schema } from '../schema/schema.ts';
import { formFields } from './formFields.ts';
import { path } from './path.ts';

/** The members of the controller's snapshot that these functions use. */
interface Known {
  get(schema: Schema, params: object): unknown;
  /** As `get`, where only these fields count. A snapshot of a test may lack this. */
  getFields?(schema: Schema, args: readonly [object], names: readonly string[]): unknown;
  /** Thrown to skip the optimistic update. */
  readonly abort: Error;
}

type Expect = (snapshot: Known, ...args: unknown[]) => unknown;

/** One function for each kind of change of a resource. */
export type Expected = Readonly<Record<'change' | 'creation' | 'deletion', Expect>>;

declare const OPTIMISTIC: unique symbol;

/** The type of the value `optimistic`, which an application imports. */
export interface Optimistic {
  readonly [OPTIMISTIC]: true;
}

/**
 * The value of the option `optimistic` of a resource: `createResource({ path, schema, optimistic })`. Its changes are
 * visible before the server has confirmed them.
 */
export const optimistic: Optimistic = expectedOf as never;

function expectedOf(template: string, schema: Schema): Expected {
  const { names, required } = path(template);
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
