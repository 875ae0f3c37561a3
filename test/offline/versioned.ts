// A REST server of tasks with ETags: a change of an old version is 412.
import { createResource, httpCache } from 'signalbox';
import { serve } from '../setup/server.ts';
import type { Answer, Asked } from '../setup/server.ts';
import { Task } from './OfflineServer.ts';

interface Row {
  readonly version: number;
  readonly fields: Record<string, unknown>;
}

export interface Write {
  readonly method: string;
  readonly ifMatch: string | undefined;
  readonly key: string | undefined;
  readonly body: unknown;
  readonly status: number;
}

/** `silent`: responses to changes have no ETag. */
export async function versioned({ silent = false, weak = false } = {}) {
  const rows = new Map<number, Row>();
  const writes: Write[] = [];
  const etagOf = ({ version }: Row) => (weak ? `W/"v${version}"` : `"v${version}"`);
  const put = (id: number, fields: Record<string, unknown>) => {
    const version = (rows.get(id)?.version ?? 0) + 1;
    rows.set(id, { version, fields: { id, ...rows.get(id)?.fields, ...fields } });
  };
  const act = ({ method, url, headers, text }: Asked): Answer => {
    const id = Number(url.split('/')[2]);
    const row = rows.get(id);
    if (row === undefined) return { status: 404, body: {} };
    if (method === 'GET') return { headers: { etag: etagOf(row) }, body: row.fields };
    const ifMatch = headers['if-match'];
    if (ifMatch !== undefined && ifMatch !== etagOf(row)) return { status: 412, body: row.fields };
    if (method === 'DELETE') {
      rows.delete(id);
      return { body: row.fields };
    }
    put(id, JSON.parse(text) as Record<string, unknown>);
    const now = rows.get(id) as Row;
    return { ...(!silent && { headers: { etag: etagOf(now) } }), body: now.fields };
  };
  const server = await serve((asked) => {
    const answer = act(asked);
    const { method, headers, text } = asked;
    if (method === 'GET') return answer;
    writes.push({
      method,
      ifMatch: headers['if-match'],
      key: headers['idempotency-key'] as string | undefined,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
      status: answer.status ?? 200,
    });
    return answer;
  });
  const tasks = createResource({
    path: '/tasks/:id',
    urlPrefix: server.address,
    schema: Task,
    optimistic: true,
    http: httpCache,
  });
  return { rows, writes, put, tasks, server };
}
