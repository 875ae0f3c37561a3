/** Completes the response of a mutation with the fields that were sent and that the response leaves out. */
import type { EntityKind } from '../schema/EntityKind.ts';
import { collectTopEntities } from '../schema/EntityKind.ts';
import { ObjectKind } from '../schema/containers.ts';
import type { ListMutation } from '../schema/ListMutation.ts';
import { fieldOf, hasField, isFormData, isObject, sentValue, setOwn } from '../schema/fieldOf.ts';
import { kindOf } from '../schema/kindOf.ts';
import type { Args, Fields, Kind, Schema } from '../schema/schema.ts';
import { EntityRecord } from '../store/entities/EntityRecord.ts';
import { EMPTY } from '../store/records/SmallSet.ts';
import type { Write } from './Events.ts';
import type { FetchContext } from './FetchContext.ts';
import type { InFlightRequest } from './InFlightRequest.ts';

/** A response with the fields that were sent. */
export interface CompletedResponse {
  readonly value: unknown;
  /** The value in the commit event: without a body, an empty response confirms no field. */
  readonly eventValue: unknown;
  /** See `PartialResponse`; undefined: the response is complete. */
  readonly partial?: PartialResponse | undefined;
  /** Of a call that sends no changed field: the fields that the optimistic response changes, which count as sent. */
  readonly shownFields?: readonly string[];
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
 *   PATCH /todos/1 {title: 'b'}    empty, {ok: true}    {id: 1, title: 'b'}, if todo 1 is stored
 *   POST /todos {title: 'b'}       {id: 9, at: '…'}     {id: 9, at: '…', title: 'b'}
 *   POST /lists/5/todos {…}        {id: 9}              {id: 9, listId: 5, …}
 *   POST /login {secret: 'b'}      {id: 9, name: 'c'}   the response: the class declares no `secret`
 *   PUT /todos/1/star              {id: 1}, {ok: true}  the key, with the fields that the optimistic response changes; if
 *                                                       there are none, each list with filters expires
 */

type Mutation = Pick<InFlightRequest, 'context' | 'endpoint' | 'args' | 'layer'>;

/** The value to store for the response of a mutation. */
export function completeResponse(request: Mutation, response: unknown): CompletedResponse {
  const { endpoint, args } = request;
  const kind = entityOfBody(endpoint.schema);
  if (kind === undefined) return { value: response, eventValue: response };
  const completion = new Completion(request, kind);
  const { root } = completion;
  const body: unknown = args.at(-1);
  let value = response;
  let eventValue = response;
  if (response === null || response === undefined) {
    const key = completion.isRowChange && completion.storedKey();
    // without a body, the request is still a change, of fields that only the server knows: searches expire
    const hasBody = args.length > 1;
    if (key) value = completion.completeRow(key, hasBody ? body : {});
    if (hasBody) eventValue = value;
  } else
    eventValue = value = mapRows(root, response, (rows) => {
      if (!Array.isArray(rows)) return completion.completeRow(rows, body);
      const isParallel = Array.isArray(body) && body.length === rows.length;
      return isParallel ? rows.map((row, at) => completion.completeRow(row, body[at])) : rows;
    });
  const { shownFields, isPartial } = completion;
  return { value, eventValue, partial: isPartial ? completion : undefined, shownFields };
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
  readonly root: Kind;
  /** True if a response without a key is about the row that the call names. */
  readonly isRowChange: boolean;
  isPartial = false;
  isChangeUnknown = false;
  shownFields: readonly string[] = EMPTY;
  readonly #op: ListMutation<[]>['op'] | undefined;
  readonly #request: Mutation;
  readonly #record: EntityRecord | undefined;
  /** The stored fields of the entity that the arguments name. */
  readonly #known: Fields | undefined;

  constructor(request: Mutation, kind: EntityKind) {
    const { endpoint, args } = request;
    this.#request = request;
    this.kind = kind;
    this.root = kindOf(endpoint.schema, '');
    const { op } = this.root as Partial<ListMutation<[]>>;
    this.#op = op;
    this.isRowChange = this.root === kind || op === 'move' || op === 'out';
    this.#record = this.#recordWith(kind.pkInArgs(args));
    this.#known = this.#record?.confirmedFields;
  }

  #recordWith(pk: string | undefined): EntityRecord | undefined {
    const { store } = this.#request.context;
    const record = store.tables.get(this.kind.tableKey)?.records.get(pk as string);
    return record instanceof EntityRecord ? record : undefined;
  }

  /** The primary key of the stored entity in the form of a response. */
  storedKey(): object | undefined {
    const known = this.#known;
    const field = this.kind.descriptor.declaredPkField?.field;
    const [params] = this.#request.args;
    if (known === undefined) return undefined;
    if (field !== undefined) return { [field]: known[field] };
    if (!isObject(params)) return undefined;
    // params may be no fields, and numbers may be text
    const names = Object.keys(params).filter((name) => this.#isField(this.kind, name));
    const isSame = (name: string) => String(params[name]) === String(known[name]);
    return Object.fromEntries(names.map((name) => [name, (isSame(name) ? known : params)[name]]));
  }

  /** A row of the response with the fields that were sent; if none were, with those that the optimistic response changes. */
  completeRow(given: unknown, sent: unknown): unknown {
    const { kind, root } = this;
    if (!isObject(given)) return given;
    const hasKey = kind.pkIn(given, []) !== undefined;
    // of a union, other parts may be no entity
    if (!hasKey && !this.isRowChange && !(root instanceof ObjectKind)) return given;
    const key = hasKey ? undefined : this.storedKey();
    const { context } = this.#request;
    const fields = readBody(context, kind, sent, this.#known);
    const all = { ...key, ...fields, ...this.#shownChanges(fields, given) };
    const row = this.#withParams(this.#complete(kind, all, given), given);
    if (!this.#op && !this.#namesChange(row)) this.isPartial = this.isChangeUnknown = true;
    return row;
  }

  /** Of a call that sends no changed field: the fields that the optimistic response changes, and `given` leaves out. */
  #shownChanges(sent: Fields, given: Fields): Fields | undefined {
    if (this.#known === undefined || this.#namesChange(sent)) return undefined;
    const { layer } = this.#request;
    const changed = layer?.changedFields(this.#record as EntityRecord);
    this.shownFields = changed ?? EMPTY;
    return layer?.changesLeftOut(changed, given, (value, read) => mapRows(this.root, value, read));
  }

  /** A created row with the params. Of a stored row, the params may be older than the fields. */
  #withParams(row: Fields, given: Fields): Fields {
    const { kind, isPartial } = this;
    const { args } = this.#request;
    if (this.#known !== undefined || args.length < 2) return row;
    const complete = this.#complete(kind, args[0] as Fields, row);
    // a server that responds with a row may leave out what the url says
    const pkField = kind.descriptor.declaredPkField?.field;
    if (Object.keys(kind.defaults).some((name) => name !== pkField && hasField(given, name)))
      this.isPartial = isPartial;
    return complete;
  }

  /** True if a field differs from the arguments: what the call and the stored row have in common is the key. */
  #namesChange(row: Fields): boolean {
    const { kind } = this;
    const params = this.#request.args[0] as Fields | undefined;
    const record = this.#recordWith(kind.pkIn(row, []));
    // the key of a stored row is no change, also if the arguments do not name the row
    const key = record?.isConfirmed && kind.descriptor.declaredPkField?.field;
    return Object.keys(kind.defaults).some(
      (name) =>
        name !== key &&
        hasField(row, name) &&
        String(params?.[name]) !== String((this.#known ?? row)[name]),
    );
  }

  /** `given`, with the fields of `sent` that belong to the class and are missing in `given`. */
  #complete(kind: EntityKind, sent: Fields, given: Fields): Fields {
    const { nestedIndexes, nested, declaredPkField } = kind.descriptor;
    let fields = given;
    for (const name of Object.keys(sent)) {
      const value = sentValue(sent[name]);
      const at = nestedIndexes.get(name);
      if (value === undefined || !(at !== undefined || this.#isField(kind, name))) continue;
      const inner =
        at === undefined ? undefined : soleEntityIn((nested[at] as { kind: Kind }).kind);
      const isGiven = hasField(given, name);
      const next = isGiven ? this.#nested(inner, value, given[name]) : missingValue(inner, value);
      // a response to a call that names the row need not repeat the key
      if (!isGiven && name !== declaredPkField?.field) this.isPartial = true;
      if (next !== given[name]) fields = withField(fields, given, name, next);
    }
    return fields;
  }

  #isField(kind: EntityKind, name: string): boolean {
    return Object.hasOwn(kind.defaults, name) || Object.hasOwn(this.#known ?? {}, name);
  }

  /** The value of a nested member in the response, with the sent fields of the entities inside. */
  #nested(inner: EntityKind | undefined, sent: unknown, given: unknown): unknown {
    if (inner === undefined) return given;
    if (Array.isArray(sent) && Array.isArray(given) && sent.length === given.length)
      return given.map((member, at) => this.#nested(inner, sent[at], member));
    if (!isObject(sent) || !isObject(given)) return given;
    const pk = inner.pkIn(sent, []);
    return pk === undefined || pk === inner.pkIn(given, [])
      ? this.#complete(inner, sent, given)
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

/** The value of a field that is missing; undefined if the server gives keys to the entities inside. */
function missingValue(inner: EntityKind | undefined, value: unknown): unknown {
  return inner === undefined || isIdentified(inner, value) ? value : undefined;
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
