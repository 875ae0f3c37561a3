/** The mutations of the programs: what each asks of a server, and what it expects of it. */
import { Collection, Delete } from 'signalbox';
import type { Fields } from './confirmed.ts';
import type { Look, Mutation } from './model.ts';
import { Row } from './server.ts';
import type { Server } from './server.ts';

export const rows = new Collection([Row]);

export interface Deed extends Omit<Mutation, 'issued' | 'expect'> {
  readonly expect: (look: Look) => Fields | undefined;
  readonly name: string;
  readonly schema: unknown;
  readonly args: readonly Fields[];
  /** The row that it is about. */
  readonly id: number;
  /** Does it, and answers. */
  readonly serve: (server: Server) => Fields;
}

export function update(old: Fields, body: Fields): Deed {
  const id = old['id'] as number;
  return {
    name: 'update',
    schema: Row,
    effect: 'change',
    args: [{ id }, body],
    id,
    names: Object.keys(body),
    serve: (server) => server.put({ ...old, ...body }),
    expect: () => ({ id, ...body }),
  };
}

/** Its body names no field, and what it expects hangs on what is shown. */
export function bump(old: Fields): Deed {
  const id = old['id'] as number;
  const more = (row: Fields | undefined) => row && { id, n: Number(row['n']) + 1 };
  return {
    name: 'bump',
    schema: Row,
    effect: 'change',
    args: [{ id }],
    id,
    names: [],
    serve: (server) => server.put({ ...old, ...more(old) }),
    expect: (look) => more(look(id)),
  };
}

/** Where the server gives the pk, the body has none, and the row that is expected has one for the time being. */
export function create(id: number, body: Fields, temporary = id): Deed {
  return {
    name: 'create',
    schema: rows.push,
    effect: 'creation',
    args: [body],
    id,
    names: ['kind', 'a'],
    serve: (server) => server.put({ id, ...body, b: 'made', n: 1 }),
    expect: () => ({ id: temporary, ...body }),
  };
}

export function remove(id: number): Deed {
  return {
    name: 'remove',
    schema: new Delete(Row),
    effect: 'deletion',
    args: [{ id }],
    id,
    names: [],
    serve: (server) => {
      server.remove(id);
      return {};
    },
    expect: () => ({ id }),
  };
}

interface Snapshot {
  readonly abort: Error;
  get(schema: typeof Row, params: Fields): Fields | undefined;
}

/** What a deed expects, as an endpoint has it: without the pk for the time being. */
export function optimistic({ expect }: Deed) {
  return (snapshot: Snapshot): Fields => {
    const fields = expect((id) => snapshot.get(Row, { id }));
    if (fields === undefined) throw snapshot.abort;
    const { id, ...rest } = fields;
    return Number(id) < 0 ? rest : fields;
  };
}
