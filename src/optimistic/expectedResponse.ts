/** The responses that are expected to the changes of a resource with `optimistic: true`. */
import type { OptimisticResource, ResourceChange } from '../rest/createResource.ts';
import { path } from '../rest/path.ts';
import { Decoded, DecoderKind } from '../schema/DecoderKind.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { fieldOf, isFormData, memberOf, sentValue, setOwn } from '../schema/fieldOf.ts';
import { kindOf } from '../schema/kindOf.ts';
import { KIND } from '../schema/schema.ts';
import type { Args, Fields, NormalizeContext, Schema } from '../schema/schema.ts';

/** The members of the snapshot of a layer that these functions use. */
interface SnapshotReader {
  get(schema: Schema, params: object): unknown;
  /** As `get`, where only these fields count. The snapshot of a controller lacks this. */
  getFields?(schema: Schema, args: readonly [object], names: readonly string[]): unknown;
  /** Thrown to skip the optimistic update. */
  readonly abort: Error;
}

type OptimisticResponse = (snapshot: SnapshotReader, ...args: unknown[]) => unknown;

const byResource = new WeakMap<OptimisticResource, Record<ResourceChange, OptimisticResponse>>();

/** The response that is expected to a change. Throws `snapshot.abort` for a request that cannot be sent. */
export function expectedResponse(
  snapshot: SnapshotReader,
  change: ResourceChange,
  resource: OptimisticResource,
  args: Args,
): unknown {
  let responses = byResource.get(resource);
  if (responses === undefined) byResource.set(resource, (responses = createResponses(resource)));
  return responses[change](snapshot, ...args);
}

function createResponses(resource: OptimisticResource): Record<ResourceChange, OptimisticResponse> {
  const { schema } = resource;
  const { names, required } = path(resource.path);
  const pathNames = [...names];
  /** Skips the optimistic update of a request that cannot be sent; its url throws the reason. */
  const requirePathParams = (params: unknown, snapshot: SnapshotReader): object => {
    for (const name of required) {
      const value = memberOf(params ?? {}, name);
      if (value === undefined || value === null) throw snapshot.abort;
    }
    return params as object;
  };
  /** Adds the fields of a body to a response. */
  const addBody = (fields: Fields, body: unknown, known?: object): Fields => {
    const kind = (schema as { readonly [KIND]?: EntityKind } | undefined)?.[KIND];
    const sent = isFormData(body) ? formFields(body, kind, known) : sentValue(body);
    if (typeof sent === 'object' && sent !== null && !ArrayBuffer.isView(sent))
      for (const [name, value] of Object.entries(sent))
        if (!(value instanceof Blob)) setOwn(fields, name, sentValue(value));
    return fields;
  };
  return {
    change(snapshot, callParams, body) {
      const params = requirePathParams(callParams, snapshot);
      const known = snapshot.getFields
        ? snapshot.getFields(schema, [params], pathNames)
        : snapshot.get(schema, params);
      const fields: Fields = {};
      // The params of the path, `id` above all, identify the entity in the response. The fields of a stored row count
      // instead: they have their type, and the parent in a path (`/users/:userId/favourites/:id`) may be no field of the row.
      for (const name of pathNames) {
        const value = memberOf(known ?? {}, name) ?? memberOf(params, name);
        if (value !== undefined) setOwn(fields, name, value);
      }
      return addBody(fields, body, known as object | undefined);
    },
    creation(_snapshot, ...args) {
      const body = args.pop();
      const row = (fields: unknown) => addBody({ ...(args[0] as object) }, fields);
      return Array.isArray(body) ? body.map(row) : row(body);
    },
    deletion: (snapshot, params) => requirePathParams(params, snapshot),
  };
}

/*
 *   default of the field        shown                                   not shown before the response
 *   text                        the text                                a name that occurs more than once
 *   number, bigint              text that is a number                   any other text
 *   boolean                     true, on, false                         any other text
 *   array                       all texts of the name, by the type of   an array with one text that cannot be read
 *                               the schema's or the default's member,
 *                               else as text
 *   an object of a decoder      text that the decoder accepts           text that the decoder refuses
 *   null, undefined             by the type of the known value          a field without a known value
 *   none, or an entity          –                                       always; files, too
 */

/** The fields to show before the response. `known`: the present values. */
export function formFields(form: FormData, kind?: EntityKind, known: object = {}): Fields {
  const fields: Fields = {};
  // React Native's FormData cannot be read
  if (kind === undefined || !('keys' in form)) return fields;
  const { defaults } = kind;
  const schemas: Fields = kind.Class.schema;
  for (const name of new Set(form.keys())) {
    if (!Object.hasOwn(defaults, name)) continue;
    const initial = fieldOf(defaults as Fields, name);
    const isTyped = initial !== undefined && initial !== null && !isEmptyList(initial);
    const typed = isTyped ? initial : (fieldOf(known as Fields, name) ?? initial);
    const value = readAll(form.getAll(name), typed, fieldOf(schemas, name));
    if (value !== undefined) setOwn(fields, name, value);
  }
  return fields;
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

type Entry = FormDataEntryValue | undefined;

function readAll(entries: readonly Entry[], initial: unknown, schema: unknown): unknown {
  if (!Array.isArray(initial) && !Array.isArray(schema))
    return entries.length === 1 ? readOne(entries[0], initial, schema) : undefined;
  const [decoder] = Array.isArray(schema) ? (schema as unknown[]) : [];
  const [member = decoder === undefined ? '' : undefined] = Array.isArray(initial) ? initial : [];
  const values = entries.map((entry) => readOne(entry, member, decoder));
  return values.includes(undefined) ? undefined : values;
}

const TYPES = /* @__PURE__ */ new Map<unknown, string>([
  [Boolean, 'boolean'],
  [Number, 'number'],
  [BigInt, 'bigint'],
  [String, 'string'],
]);

/** The value in a response from which the decoder makes the field; undefined if the text cannot be read. */
function readOne(entry: Entry, initial: unknown, decoder: unknown): unknown {
  if (typeof entry !== 'string') return undefined;
  const isPlain = decoder === undefined || TYPES.has(decoder);
  const value = toType(entry, TYPES.get(decoder) ?? typeof initial, !isPlain);
  return isPlain || isAccepted(value, initial, decoder) ? value : undefined;
}

/** Text as a primitive type. `decoded`: other types are made of text. */
function toType(text: string, type: string, decoded: boolean): unknown {
  switch (type) {
    case 'string':
      return text;
    case 'boolean':
      return BOOLEANS.get(text);
    case 'bigint':
      return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    default:
      return decoded ? text : undefined;
  }
}

// a checkbox without a value sends `on`
const BOOLEANS = /* @__PURE__ */ new Map([
  ['true', true],
  ['on', true],
  ['false', false],
]);

/** True if the decoder makes a value of the type of the default. */
function isAccepted(value: unknown, initial: unknown, decoder: unknown): boolean {
  const kind = kindOf(decoder, 'form');
  if (!(kind instanceof DecoderKind)) return false;
  try {
    const node = kind.normalize(value, undefined, '', {} as NormalizeContext);
    const decoded = node instanceof Decoded ? node.value : undefined;
    if (initial === undefined || initial === null) return decoded !== undefined;
    return typeof initial === 'object'
      ? decoded instanceof initial.constructor
      : typeof decoded === typeof initial;
  } catch {
    return false;
  }
}
