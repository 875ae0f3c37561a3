/** Completes the response of a mutation with the fields that were sent and that the response leaves out. */
import type { EntityKind } from '../schema/EntityKind.ts';
import { collectTopEntities } from '../schema/EntityKind.ts';
import { ObjectKind } from '../schema/containers.ts';
import type { ListMutation } from '../schema/ListMutation.ts';
import { fieldOf, hasField, isFormData, isObject, sentValue, setOwn } from '../schema/fieldOf.ts';
import { kindOf } from '../schema/kindOf.ts';
import type { Args, Fields, Kind, Schema } from '../schema/schema.ts';
import { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { Write } from './Events.ts';
import type { FetchContext } from './FetchContext.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import type { OptimisticResponse } from './OptimisticWrites.ts';

/** A response with the fields that were sent. */
export interface CompletedResponse {
  readonly value: unknown;
  /** The value in the commit event: without a body, an empty response confirms no field. */
  readonly eventValue: unknown;
  /** See `PartialResponse`; undefined: the response is complete. */
  readonly partial?: PartialResponse | undefined;
}

/** A response that leaves out fields of entities of `kind`. */
export interface PartialResponse {
  readonly kind: EntityKind;
  /** True if neither the call nor the response names a field that has changed; else the sent fields are stored. */
  readonly isChangeUnknown: boolean;
}

/*
 *   request                        response             value
 *   ─────────────────────────────────────────────────────────────────────────────────────────
 *   PATCH /todos/1 {title: 'b'}    {id: 1}              {id: 1, title: 'b'}
 *   PATCH /todos/1 {title: 'b'}    empty                {id: 1, title: 'b'}, if todo 1 is stored
 *   POST /todos {title: 'b'}       {id: 9, at: '…'}     {id: 9, at: '…', title: 'b'}
 *   POST /lists/5/todos {…}        {id: 9}              {id: 9, listId: 5, …}
 *   POST /login {secret: 'b'}      {id: 9, name: 'c'}   the response: the class declares no `secret`
 *   PUT /todos/1/star              {id: 1}, {ok: true}  the key, and the fields of the optimistic response; without, each
 *                                                       list with filters expires
 */

/** The value to store for the response of a mutation. */
export function completeResponse(
  {
    context,
    endpoint,
    args,
    layer,
  }: Pick<InFlightRequest, 'context' | 'endpoint' | 'args' | 'layer'>,
  response: unknown,
): CompletedResponse {
  const { schema } = endpoint;
  const kind = entityOfBody(schema);
  if (kind === undefined) return { value: response, eventValue: response };
  const root = kindOf(schema, '');
  const body: unknown = args.at(-1);
  const pk = kind.pkInArgs(args);
  const record =
    pk === undefined ? undefined : context.store.tables.get(kind.tableKey)?.records.get(pk);
  const known = record instanceof EntityRecord ? record.confirmedFields : undefined;
  const completion = new Completion(kind, known);
  // of a stored row, the params may be older than the fields
  const params = known === undefined && args.length > 1 ? (args[0] as Fields) : undefined;
  // of a union, other parts may be no entity
  const isRow = (given: object) =>
    root === kind || root instanceof ObjectKind || kind.pkIn(given, []) !== undefined;
  const { op } = root as Partial<ListMutation<[]>>;
  const complete = (given: unknown, sent: unknown) => {
    if (!isObject(given) || !isRow(given)) return given;
    let fields: Fields = { ...params, ...readBody(context, kind, sent, known) };
    // what the call and the stored row have in common is the key
    const namesChange = (row: Fields) =>
      Object.keys(kind.defaults).some(
        (name) =>
          hasField(row, name) &&
          String((args[0] as Fields | undefined)?.[name]) !== String((known ?? row)[name]),
      );
    if (known && layer && !namesChange(fields)) {
      const changed = layer.changedFields(record as EntityRecord);
      const missing = changed.filter((name) => !hasField(given, name));
      fields = { ...fields, ...expectedFields(root, layer, missing) };
    }
    const row = completion.complete(kind, fields, given);
    if (!op && !namesChange(row)) completion.isPartial = completion.isChangeUnknown = true;
    return row;
  };
  let value = response;
  let eventValue = response;
  if (response === null || response === undefined) {
    const isRowChange = root === kind || op === 'move' || op === 'out';
    const key = isRowChange && known && keyOf(kind, known, args[0]);
    // without a body, the request is still a change, of fields that only the server knows: searches expire
    const hasBody = args.length > 1;
    if (key) value = complete(key, hasBody ? body : {});
    if (hasBody) eventValue = value;
  } else
    eventValue = value = mapRows(root, response, (rows) => {
      if (!Array.isArray(rows)) return complete(rows, body);
      const isParallel = Array.isArray(body) && body.length === rows.length;
      return isParallel ? rows.map((row, at) => complete(row, body[at])) : rows;
    });
  return { value, eventValue, partial: completion.isPartial ? completion : undefined };
}

/** These fields of the row in an optimistic response. */
function expectedFields(root: Kind, layer: OptimisticResponse, names: readonly string[]): Fields {
  const fields: Fields = {};
  // the function of the application is called only where the response lacks a field
  if (names.length > 0)
    mapRows(root, layer.computeOverConfirmed(), (row) => {
      if (isObject(row)) for (const name of names) setOwn(fields, name, fieldOf(row, name));
    });
  return fields;
}

/** The fields in a body that can be read as fields of the class. */
function readBody(
  { optimistic }: FetchContext,
  kind: EntityKind,
  body: unknown,
  known: Fields | undefined,
): Fields {
  if (!isFormData(body)) {
    const sent = sentValue(body);
    return isObject(sent) ? sent : {};
  }
  if (optimistic !== undefined) return optimistic.formFields(body, kind, known);
  const texts = [...('keys' in body ? body.keys() : [])].flatMap((name) => {
    const [text, ...others] = body.getAll(name);
    const isText =
      typeof text === 'string' && typeof fieldOf(kind.defaults as Fields, name) === 'string';
    return isText && others.length === 0 ? [[name, text]] : [];
  });
  return Object.fromEntries(texts) as Fields;
}

/** The primary key of a stored entity in the form of a response. */
function keyOf({ descriptor }: EntityKind, known: Fields, params: unknown): object | undefined {
  const { declaredPkField } = descriptor;
  if (declaredPkField === undefined) return isObject(params) ? params : undefined;
  return { [declaredPkField.field]: known[declaredPkField.field] };
}

/** Replaces the row, or the rows, in a response. */
function mapRows(kind: Kind, value: unknown, map: (rows: unknown) => unknown): unknown {
  if (!(kind instanceof ObjectKind) || !isObject(value)) return map(value);
  let mapped = value;
  for (const [name, member] of kind.members) {
    const rows = fieldOf(value, name);
    const next = soleEntityIn(member) ? mapRows(member, rows, map) : rows;
    if (next !== rows) mapped = withField(mapped, value, name, next);
  }
  return mapped;
}

class Completion implements PartialResponse {
  readonly kind: EntityKind;
  isPartial = false;
  isChangeUnknown = false;
  /** The stored fields of the entity. */
  readonly #known: Fields;

  constructor(kind: EntityKind, known: Fields = {}) {
    this.kind = kind;
    this.#known = known;
  }

  /** `given`, with the fields of `sent` that belong to the class and are missing in `given`. */
  complete(kind: EntityKind, sent: Fields, given: Fields): Fields {
    const { nestedIndexes, nested } = kind.descriptor;
    let fields = given;
    for (const name of Object.keys(sent)) {
      const value = sentValue(sent[name]);
      const at = nestedIndexes.get(name);
      if (value === undefined || !(at !== undefined || this.#isField(kind, name))) continue;
      const inner =
        at === undefined ? undefined : soleEntityIn((nested[at] as { kind: Kind }).kind);
      const next = hasField(given, name)
        ? this.#nested(inner, value, given[name])
        : this.#missing(inner, value);
      if (next !== given[name]) fields = withField(fields, given, name, next);
    }
    return fields;
  }

  #isField(kind: EntityKind, name: string): boolean {
    return Object.hasOwn(kind.defaults, name) || Object.hasOwn(this.#known, name);
  }

  /** The value of a field that is missing; undefined if the server gives keys to the entities inside. */
  #missing(inner: EntityKind | undefined, value: unknown): unknown {
    this.isPartial = true;
    return inner === undefined || isIdentified(inner, value) ? value : undefined;
  }

  /** The value of a nested member in the response, with the sent fields of the entities inside. */
  #nested(inner: EntityKind | undefined, sent: unknown, given: unknown): unknown {
    if (inner === undefined) return given;
    if (Array.isArray(sent) && Array.isArray(given) && sent.length === given.length) {
      const members = given.map((member, at) => this.#nested(inner, sent[at], member));
      return members.every((member, at) => member === given[at]) ? given : members;
    }
    if (!isObject(sent) || !isObject(given)) return given;
    const pk = inner.pkIn(sent, []);
    return pk === undefined || pk === inner.pkIn(given, [])
      ? this.complete(inner, sent, given)
      : given;
  }
}

/** The entity that the arguments of a mutation name, as an entry of the commit event. */
export function namedEntity(schema: Schema, args: Args): Pick<Write, 'schema' | 'args'>[] {
  const kind = entityOfBody(schema);
  const pk = kind?.pkInArgs(args);
  // the entity's own schema finds the entity already
  return kind === undefined || pk === undefined || kind === kindOf(schema, '')
    ? []
    : [{ schema: kind.Class, args: [pk, ...args.slice(1)] }];
}

/** The class of the entity that the body of a mutation describes; undefined: there is none, or several. */
export function entityOfBody(schema: Schema): EntityKind | undefined {
  return schema === undefined ? undefined : soleEntityIn(kindOf(schema, ''));
}

/** The only class of the entities at the top of a schema. */
function soleEntityIn(kind: Kind): EntityKind | undefined {
  const kinds = new Set(collectTopEntities(kind));
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

/** True if each entity in the value has a primary key. */
function isIdentified(kind: EntityKind, value: unknown): boolean {
  if (Array.isArray(value)) return value.every((member) => isIdentified(kind, member));
  return !isObject(value) || kind.pkIn(value, []) !== undefined;
}

/** A copy of `original` with another field; `fields` itself, if a copy already. */
function withField(fields: Fields, original: Fields, name: string, value: unknown): Fields {
  const copy = fields === original ? { ...original } : fields;
  setOwn(copy, name, value);
  return copy;
}
