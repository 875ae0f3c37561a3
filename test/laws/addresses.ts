/** The addresses at which rows are listed and created: the answers of all their requests are in the test's hand. */
import { createResource, RestEndpoint } from 'signalbox';
import { settled } from '../setup/world.ts';
import type { Asked, World } from '../setup/world.ts';
import { Row } from './server.ts';
import type { Address } from './server.ts';

/** A list at an address, and a creation there. */
export interface Site {
  readonly list: Asked<unknown>;
  readonly create: Asked<unknown>;
}

export function addresses({ calls }: World): Readonly<Record<Address, Site>> {
  class Hand extends RestEndpoint {
    override fetch(...args: unknown[]): Promise<unknown> {
      const { name, signal } = this;
      return new Promise((resolve, reject) => {
        const answer = (value: unknown) => (resolve(value), settled());
        const fail = (error: unknown) => (reject(error), settled());
        calls.push({ name, args, signal, answer, fail });
      });
    }
  }
  const rows = createResource({ path: '/rows/:id', schema: Row, Endpoint: Hand });
  const newest = rows.extend('getList', { path: '/rows/newest' });
  // any: the lists of two paths have two types
  const siteOf = (name: string, list: any): Site => ({
    list: list.extend({ name }),
    create: list.push.extend({ name: 'create' }),
  });
  return { rows: siteOf('rows', rows.getList), newest: siteOf('newest', newest.getList) };
}
