/** The mutations of the programs: what each asks of a server, and what it expects of it. */
import type { Fields } from './confirmed.ts';
import type { Look, Mutation } from './model.ts';
import type { Unnamed } from './temporaryRows.ts';
import { Row } from './server.ts';
import type { Address, Server } from './server.ts';
import { Delete } from 'signalbox';

export interface Deed extends Omit<Mutation, 'issued' | 'expect'> {
  readonly expect: (look: Look) => Fields | undefined;
  readonly name: string;
  /** Of a creation: undefined, its address says it. */
  readonly schema?: unknown;
  readonly at?: Address;
  readonly args: readonly Fields[];
  /** The row that it is about. */
  readonly id: number;
  /** Does it, and answers; undefined where it cannot. */
  readonly serve: (server: Server) => Fields | undefined;
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
    sent: body,
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
    sent: {},
    serve: (server) => server.put({ ...old, ...more(old) }),
    expect: (look) => more(look(id)),
  };
}

/** Where the server gives the pk, the body has none, and the row that is expected has one for the time being. */
export function create(at: Address, id: number, body: Fields, temporary = id): Deed {
  return {
    name: 'create',
    at,
    effect: 'creation',
    args: [body],
    id,
    names: ['kind', 'a'],
    sent: body,
    serve: (server) => server.put({ id, ...body, b: 'made', n: 1, tags: [] }),
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
    sent: {},
    serve: (server) => {
      server.remove(id);
      return {};
    },
    expect: () => ({ id }),
  };
}

/** A change of a row that has no name yet: of the row as the server has it when it comes there. */
export function updateNew(row: Unnamed, body: Fields): Deed {
  const { real: id } = row;
  return {
    ...update({ id }, body),
    args: [{ id: row.key }, body],
    serve: (server) => server.row(id) && server.put({ ...server.row(id), ...body }),
    expect: () => ({ id: row.id, ...body }),
  };
}

export function removeNew(row: Unnamed): Deed {
  return { ...remove(row.real), args: [{ id: row.key }], expect: () => ({ id: row.id }) };
}

interface Snapshot {
  readonly abort: Error;
  get(schema: typeof Row, params: Fields): Fields | undefined;
}

/** What a deed expects, as an endpoint has it: with the pk that its caller knows, if any. */
export function optimistic({ expect }: Deed) {
  return (snapshot: Snapshot, params: Fields): Fields => {
    const fields = expect((id) => snapshot.get(Row, { id }));
    if (fields === undefined) throw snapshot.abort;
    const { id, ...rest } = fields;
    if (Number(id) > 0) return fields;
    return params['id'] === undefined ? rest : { id: params['id'], ...rest };
  };
}
