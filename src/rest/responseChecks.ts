/** Development checks of responses: of another entity than the path names, in another envelope, or without data. */
import { warn } from '../errors.ts';
import { badDataError } from '../schema/badDataError.ts';
import { LiteralKind, ObjectKind } from '../schema/containers.ts';
import { DecoderKind } from '../schema/DecoderKind.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import { isObject, memberOf, fieldOf } from '../schema/fieldOf.ts';
import { toPk } from '../schema/toPk.ts';
import { kindOf, tableKeysIn } from '../schema/kindOf.ts';
import type { Fields, Kind } from '../schema/schema.ts';
import { path } from './path.ts';
import { splitCall } from './splitCall.ts';
import type { RestBase } from './RestBase.ts';

type FoundEntity = readonly [kind: EntityKind, fields: Fields];

declare const process: { env: { NODE_ENV?: string } };

/** Undefined in production builds, which drop all of this file. */
export const responseChecks:
  | { refuseContent: typeof refuseContent; warnOfMismatch: typeof warnOfMismatch }
  | undefined =
  process.env.NODE_ENV === 'production' ? undefined : { refuseContent, warnOfMismatch };

/**
 * Throws E17 if the response is read as text or bytes beside a schema of objects, entities or lists. Methods other than
 * the `defaults` may make data of any content.
 */
function refuseContent(
  endpoint: RestBase,
  defaults: Pick<RestBase, 'parseResponse' | 'process'>,
): void {
  const { content, schema, title } = endpoint;
  if (content === undefined || content === 'json') return;
  if (endpoint.process !== defaults.process) return;
  if (endpoint.parseResponse !== defaults.parseResponse) return;
  const kind = schema ? kindIn(schema, title) : undefined;
  if (kind === undefined || kind instanceof DecoderKind || kind instanceof LiteralKind) return;
  const reason = { endpoint: title, content, schema: kind.title };
  throw badDataError('E17', reason, endpoint);
}

function warnOfMismatch(endpoint: RestBase, args: readonly unknown[], value: unknown): void {
  if (endpoint.sideEffect) return;
  warnOfEnvelope(endpoint, value);
  warnOfKey(endpoint, args, value);
}

/** Warns once per endpoint (R14) of an envelope with other members, and without any list or entity of the schema. */
function warnOfEnvelope({ schema, title }: RestBase, value: unknown): void {
  const kind = schema ? kindIn(schema, title) : undefined;
  if (!(kind instanceof ObjectKind) || !isObject(value)) return;
  const expected = kind.members.filter(([, inner]) => tableKeysIn(inner).length > 0);
  const names = expected.map(([name]) => name);
  const known = new Set(kind.members.map(([name]) => name));
  const found = Object.keys(value).filter((name) => !known.has(name));
  if (found.length === 0 || names.length === 0 || names.some((name) => name in value)) return;
  warn('R14', title, { endpoint: title, expected: names, found });
}

/**
 * Warns once per endpoint (R13). Only a parameter with the name of the primary key's field is compared; text in the
 * place of a number is an alias, as in `/users/me`.
 */
function warnOfKey(endpoint: RestBase, args: readonly unknown[], value: unknown): void {
  const { title } = endpoint;
  const [entity, ...others] = entitiesOf(endpoint, value);
  if (entity === undefined || others.length > 0) return;
  const [{ descriptor, title: entityTitle }, fields] = entity;
  const field = descriptor.hasProcess ? undefined : descriptor.declaredPkField?.field;
  if (field === undefined || !path(endpoint.path).names.has(field)) return;
  const requested = memberOf(splitCall(endpoint, args).params, field);
  const received = fieldOf(fields, field);
  const isAlias = typeof received === 'number' && Number.isNaN(Number(requested));
  if (isAlias || toPk(requested) === undefined || toPk(received) === undefined) return;
  if (toPk(requested) !== toPk(received))
    warn('R13', title, {
      endpoint: title,
      field,
      asked: requested,
      entity: entityTitle,
      came: received,
    });
}

function entitiesOf({ schema, title }: RestBase, value: unknown): FoundEntity[] {
  const kind = schema ? kindIn(schema, title) : undefined;
  return kind ? entitiesIn(kind, value) : [];
}

function kindIn(schema: unknown, title: string): Kind | undefined {
  try {
    return kindOf(schema, title);
  } catch {
    // errors of the schema are reported when the response is stored
    return undefined;
  }
}

/** The entities of the schema outside of lists. */
function entitiesIn(kind: Kind, value: unknown): FoundEntity[] {
  if (!isObject(value)) return [];
  if (kind instanceof EntityKind) return [[kind, value]];
  if (!(kind instanceof ObjectKind)) return [];
  return kind.members.flatMap(([name, inner]) => entitiesIn(inner, fieldOf(value, name)));
}
