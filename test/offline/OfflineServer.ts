// A REST server in memory behind a network that can be cut, and pages with a shared disk.
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, createResource, Entity } from 'signalbox';
import type { ControllerOptions } from 'signalbox';
import { offline } from 'signalbox/offline';
import type { Locks, Offline, OfflineOptions } from 'signalbox/offline';
import { onTestFinished } from 'vitest';
import type { Asked, Answer } from '../setup/server.ts';
import { serve } from '../setup/server.ts';
import { Page, settled } from '../setup/world.ts';
import type { StoppedClock } from '../setup/world.ts';

// other files of tests that this process has run leave their databases
globalThis.indexedDB = new IDBFactory();

export class Task extends Entity {
  id = 0;
  title = '';
  done = false;
}

/** The behaviour of a server in place of the usual response: a status, or no response. */
export type Trouble = number | 'none' | 'lost before' | 'lost after';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly key: string | undefined;
}

/** The subject of a request. */
export const bare = ({ method, path, body }: Request) => [method, path, body] as const;

/** Locks as in a browser, for the pages of a test. */
export function sharedLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  return {
    request(name, work) {
      const turn = (last.get(name) ?? Promise.resolve()).then(work, work);
      last.set(name, turn);
      return turn;
    },
  };
}

let databases = 0;

/** Repeats the response to a known key, without a second effect. */
export async function offlineServer() {
  const rows = new Map<number, Record<string, unknown>>();
  const asked: Request[] = [];
  const applied: Request[] = [];
  const troubles: Trouble[] = [];
  const answers = new Map<string, Answer>();
  const held: (() => void)[] = [];
  let made = 0;
  const state: { holds: boolean; refusal: Answer | undefined } = {
    holds: false,
    refusal: undefined,
  };
  const act = ({ method, path, body }: Request): Answer => {
    const id = Number(path.split('/')[2]);
    if (method === 'POST') {
      // no key is given twice
      made = Math.max(rows.size + 101, made + 1);
      const row = { done: false, ...(body as object), id: made };
      rows.set(row.id, row);
      return { status: 201, body: row };
    }
    const row = rows.get(id);
    if (row === undefined) return { status: 404, body: { message: 'gone' } };
    if (method === 'GET') return { body: row };
    if (method === 'DELETE') rows.delete(id);
    else Object.assign(row, body);
    return { body: row };
  };
  const reply = (request: Request): Answer => {
    const known = request.key === undefined ? undefined : answers.get(request.key);
    if (known !== undefined) return known;
    const answer =
      request.path === '/tasks' && request.method === 'GET'
        ? { body: [...rows.values()] }
        : act(request);
    if (request.method !== 'GET') applied.push(request);
    if (request.key !== undefined) answers.set(request.key, answer);
    return answer;
  };
  const server = await serve(({ method, url, headers, text }: Asked, response) => {
    const key = headers['idempotency-key'] as string | undefined;
    const request = {
      method,
      path: url,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
      key,
    };
    if (method !== 'GET') asked.push(request);
    if (method !== 'GET' && state.refusal !== undefined) return state.refusal;
    const trouble = method === 'GET' ? undefined : troubles.shift();
    if (typeof trouble === 'number') return { status: trouble, body: { message: 'no' } };
    if (trouble === 'lost before') return void response.destroy();
    const answer = reply(request);
    if (trouble === 'lost after') return void response.destroy();
    if (!state.holds) return answer;
    held.push(() => {
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
    return undefined;
  });
  const tasks = createResource({
    path: '/tasks/:id',
    urlPrefix: server.address,
    schema: Task,
    optimistic: true,
  });
  const name = `offline-${++databases}`;
  return {
    rows,
    asked,
    applied,
    troubles,
    tasks,
    name,
    state,
    /** Releases the held responses of the server. */
    release: () => {
      state.holds = false;
      for (const go of held.splice(0)) go();
    },
    /** A page with a queue on the same disk as all others of this server. */
    page: (options: Partial<OfflineOptions> = {}, more: ControllerOptions = {}): Tab => {
      const page = new Page();
      const controller = new Controller({
        retry: 0,
        sweepAfter: Infinity,
        surroundings: page,
        ...more,
      });
      const queue = offline(controller, { names: { tasks }, name, ...options });
      onTestFinished(() => queue.stop());
      return { page, controller, queue };
    },
  };
}

export interface Tab {
  readonly page: Page;
  readonly controller: Controller;
  readonly queue: Offline;
}

/** Advances time in steps, with turns for promises, disks and sockets between steps. */
export async function pass(
  clock: StoppedClock,
  ms: number,
  { step = 250, between = 20 } = {},
): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    clock.advance(step);
    await turns(between);
  }
}

export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await settled();
}

/** Waits for promises, disks and sockets. */
export async function until(holds: () => boolean, what = 'it'): Promise<void> {
  // a busy machine leaves few turns to threads that encrypt
  for (const end = performance.now() + 20_000; performance.now() < end; await settled()) {
    if (holds()) return;
  }
  throw new Error(`${what} did not come: ${holds.toString()}`);
}
