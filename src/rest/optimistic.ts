/** What a resource's changes are expected to answer, shown until the server has. */
import { assign } from '../schema/equal.ts';
import { memberOf } from '../schema/memberOf.ts';
import type { Schema } from '../schema/schema.ts';
import { path } from './path.ts';

/** What the functions here ask of the controller's snapshot. */
interface Known {
  get(schema: Schema, params: object): unknown;
  /** To be thrown where there is nothing to show. */
  readonly abort: Error;
}

type Expect = (snapshot: Known, ...args: unknown[]) => unknown;

/** One for each kind of change of a resource. */
export type Expected = Readonly<Record<'change' | 'creation' | 'deletion', Expect>>;

declare const OPTIMISTIC: unique symbol;

/** The type of the value `optimistic`, which an application imports. */
export interface Optimistic {
  readonly [OPTIMISTIC]: true;
}

/**
 * The value of the option `optimistic` of a resource: `createResource({ path, schema, optimistic })`. Its changes are shown
 * before the server has confirmed them.
 */
export const optimistic: Optimistic = expectedOf as never;

function expectedOf(template: string, schema: Schema): Expected {
  const { names, required } = path(template);
  /** What cannot be sent is not shown: its url says why. */
  const needPath = (params: unknown, snapshot: Known): object => {
    for (const name of required) {
      const value = memberOf(params ?? {}, name);
      if (value === undefined || value === null) throw snapshot.abort;
    }
    return params as object;
  };
  return {
    change(snapshot, given, body) {
      const params = needPath(given, snapshot);
      const known = snapshot.get(schema, params) ?? {};
      const fields = {};
      // what the path names, `id` first of all, says of which entity the answer will be
      for (const name of names) {
        const value = memberOf(params, name);
        const current = memberOf(known, name);
        // params are often text where the entity has a number: the same value stays what it was
        const isSame = String(current) === String(value);
        if (value !== undefined) assign(fields, name, isSame ? current : value);
      }
      // engines take ten times as long for a spread
      for (const [name, value] of Object.entries(fieldsOf(body))) assign(fields, name, value);
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

function fieldsOf(body: unknown): object {
  // React Native's cannot be read
  if (body instanceof FormData) return Object.fromEntries(body.entries?.() ?? []);
  return typeof body === 'object' && body !== null ? body : {};
}
