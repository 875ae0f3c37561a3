/** What a resource's changes are expected to answer, shown until the server has. */
import { assign } from '../schema/equal.ts';
import type { Schema } from '../schema/schema.ts';
import { paramOf, path } from './path.ts';

/** What the functions here ask of the controller's snapshot. */
interface Known {
  get(schema: Schema, params: object): unknown;
  /** To be thrown where there is nothing to show. */
  readonly abort: Error;
}

type Expect = (snapshot: Known, ...args: readonly unknown[]) => unknown;

const expecting = (getOptimisticResponse: Expect) => ({ getOptimisticResponse });

/** What the members of a resource are told beside the rest. */
export function optimistic(
  template: string,
  schema: Schema,
): Readonly<Record<'change' | 'creation' | 'deletion', object>> {
  return {
    change: expecting((snapshot, params, body) => {
      needPath(template, params, snapshot);
      const known = snapshot.get(schema, params as object);
      const fields = namedByPath(template, params as object, known);
      // engines take ten times as long for a second spread
      for (const [name, value] of Object.entries(fieldsOf(body))) assign(fields, name, value);
      return fields;
    }),
    creation: expecting((_snapshot, ...args) => ({ ...fieldsOf(args.at(-1)) })),
    deletion: expecting((snapshot, params) => {
      needPath(template, params, snapshot);
      return params;
    }),
  };
}

/** What cannot be sent is not shown: its url says why. */
function needPath(template: string, params: unknown, snapshot: Known): void {
  for (const name of path(template).required) {
    const value = paramOf(params ?? {}, name);
    if (value === undefined || value === null) throw snapshot.abort;
  }
}

/** The fields that the path names, `id` first of all: they say of which entity the answer will be. */
function namedByPath(template: string, params: object, known: unknown): object {
  const fields = {};
  for (const name of path(template).names) {
    const value = paramOf(params, name);
    const current = paramOf(known ?? {}, name);
    // params are often text where the entity has a number: the same value stays what it was
    if (value !== undefined)
      assign(fields, name, String(current) === String(value) ? current : value);
  }
  return fields;
}

function fieldsOf(body: unknown): object {
  // React Native's cannot be read
  if (body instanceof FormData) return Object.fromEntries(body.entries?.() ?? []);
  return typeof body === 'object' && body !== null ? body : {};
}
