/** The value of a list change, or of `getPage`, that an endpoint does not have. */
import { SignalboxError } from '../errors.ts';
import type { Fields } from '../schema/schema.ts';
import { collectionIn } from './collectionIn.ts';

declare const process: { env: { NODE_ENV?: string } };

interface Owner {
  readonly title: string;
  readonly schema?: unknown;
}

/** Undefined in production builds, which drop the rest of this file; in development it throws R15, with the reason. */
export const absentMember: (owner: Owner, member: string) => undefined =
  process.env.NODE_ENV === 'production' ? () => undefined : refuse;

function refuse({ title, schema }: Owner, member: string): undefined {
  const list = (collectionIn(schema) as Fields | undefined)?.['title'];
  const missing = list === undefined ? 'its schema has no Collection' : `${String(list)} has none`;
  const reason = member === 'getPage' ? 'it has no paginationField' : missing;
  throw new SignalboxError('R15', { member, reason }, { endpoint: title });
}
