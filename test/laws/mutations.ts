/** The mutations of the programs: the request of each mutation, and the expected result. */
import type { Fields } from './confirmed.ts';
import type { Look, Mutation } from './model.ts';
import type { Unnamed } from './temporaryRows.ts';
import { Row } from './server.ts';
import type { Address, Server } from './server.ts';
import { Delete } from 'signalbox';

export interface MutationPlan extends Omit<Mutation, 'issued' | 'expect'> {
  readonly expect: (look: Look) => Fields | undefined;
  readonly name: string;
  /** Of a creation: undefined, because the address says so. */
  readonly schema?: unknown;
  readonly at?: Address;
  readonly args: readonly Fields[];
  /** The row of the mutation. */
  readonly id: number;
  /** Performs the mutation on the server and returns the response; undefined if impossible. */
  readonly serve: (server: Server) => Fields | undefined;
}

export function update(old: Fields, body: Fields): MutationPlan {
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

/** The body names no field, and the expected value depends on the shown data. */
export function bump(old: Fields): MutationPlan {
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

/** `PUT /rows/1/star` and `DELETE /rows/1/star`: no body, and a value that may be the stored value. */
export function star(old: Fields, n: 0 | 1): MutationPlan {
  const { id } = old;
  return {
    ...bump(old),
    name: n === 1 ? 'star' : 'unstar',
    serve: (server) => server.put({ ...old, n }),
    expect: () => ({ id, n }),
  };
}

/** If the server assigns the primary key, the body has none, and the expected row has a temporary key. */
export function create(at: Address, id: number, body: Fields, temporary = id): MutationPlan {
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

export function remove(id: number): MutationPlan {
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

/** A change of a row without a primary key: of the row as the server has the row when the request arrives. */
export function updateNew(row: Unnamed, body: Fields): MutationPlan {
  const { real: id } = row;
  return {
    ...update({ id }, body),
    args: [{ id: row.key }, body],
    serve: (server) => server.row(id) && server.put({ ...server.row(id), ...body }),
    expect: () => ({ id: row.id, ...body }),
  };
}

export function removeNew(row: Unnamed): MutationPlan {
  return { ...remove(row.real), args: [{ id: row.key }], expect: () => ({ id: row.id }) };
}

interface Snapshot {
  readonly abort: Error;
  get(schema: typeof Row, params: Fields): Fields | undefined;
}

/** The expected value of a mutation, as an endpoint returns the value: with the primary key, if the caller knows the key. */
export function optimistic({ expect }: MutationPlan) {
  return (snapshot: Snapshot, params: Fields): Fields => {
    const fields = expect((id) => snapshot.get(Row, { id }));
    if (fields === undefined) throw snapshot.abort;
    const { id, ...rest } = fields;
    if (Number(id) > 0) return fields;
    return params['id'] === undefined ? rest : { id: params['id'], ...rest };
  };
}
