/** A written module, a mock server made from the same description, and a controller between. */
import { readFile } from 'node:fs/promises';
import { Controller } from 'signalbox';
import { onTestFinished, vi } from 'vitest';
import { serve } from '../setup/server.ts';
import type { Answer, Asked, Server } from '../setup/server.ts';
import { Description } from './Description.ts';
import type { Json } from './Description.ts';
import { PREFIX, descriptions, joinedOf, moduleOf } from './descriptions.ts';
import type { DescriptionName, PublishedDescription } from './descriptions.ts';
import { MockApi } from './MockApi.ts';
import type { MockOptions } from './MockApi.ts';

/** A module, and a mock server without a socket. */
export interface WorldInProcess<Api = object> {
  readonly api: Api;
  readonly controller: Controller;
  readonly mock: MockApi;
  readonly description: Description;
}

export interface World<Api> extends WorldInProcess<Api> {
  readonly server: Server;
}

/** The seed of all random values; a failing test names the seed in the message. */
export const SEED = process.env['OPENAPI_SEED'] ?? '1';

const known = new Map<DescriptionName, Promise<Description>>();

/** The description, read once per process. */
export function describe(name: DescriptionName): Promise<Description> {
  const read = known.get(name) ?? readDescription(name);
  known.set(name, read);
  return read;
}

async function readDescription(name: DescriptionName): Promise<Description> {
  const { identifiers }: PublishedDescription = descriptions[name];
  return new Description(JSON.parse(await readFile(joinedOf(name), 'utf8')) as Json, identifiers);
}

/** The written module, loaded once per process: files of tests share the module, since endpoints and entities hold no data. */
export const load = async <Api = object>(name: DescriptionName): Promise<Api> =>
  (await import(/* @vite-ignore */ moduleOf(name))) as Api;

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Until the test ends, `send` gets the requests to the addresses in the written modules. */
function redirectRequests(send: Send, others: readonly string[]): void {
  const pathOf = (asked: string) => {
    const prefix = [PREFIX, ...others].find((each) => asked.startsWith(each)) ?? '';
    return asked.slice(prefix.length);
  };
  vi.stubGlobal('fetch', (asked: string, init?: RequestInit) => send(pathOf(asked), init));
  onTestFinished(() => void vi.unstubAllGlobals());
}

/** The description, and a mock server whose exceptions are faults. */
async function mockOf(name: DescriptionName, options: Partial<MockOptions>) {
  const description = await describe(name);
  const mock = new MockApi(description, { seed: SEED, ...options });
  const respond = (asked: Asked): Answer => {
    try {
      return mock.respond(asked);
    } catch (error) {
      mock.faults.push(`${asked.method} ${asked.url}: ${String(error)}`);
      return { status: 500, body: {} };
    }
  };
  return { description, mock, respond };
}

/** Serves until the test ends. The module is `Api` as far as `tsc` has proven. */
export async function world<Api>(
  name: DescriptionName,
  options: Partial<MockOptions> = {},
): Promise<World<Api>> {
  const { description, mock, respond } = await mockOf(name, options);
  const server = await serve(respond);
  const send = fetch;
  redirectRequests((path, init) => send(server.address + path, init), description.servers);
  const api = await load<Api>(name);
  return { api, controller: new Controller(), server, mock, description };
}

/**
 * The same without a socket, for tests that call every endpoint: a request and a response are the objects of `fetch`,
 * which the tests of applications send to a server.
 */
export async function worldInProcess(
  name: DescriptionName,
  options: Partial<MockOptions> = {},
): Promise<WorldInProcess> {
  const { description, mock, respond } = await mockOf(name, options);
  redirectRequests(async (path, init) => {
    const request = new Request(PREFIX + path, init);
    const { method, headers } = request;
    const text = await request.text();
    const url = request.url.slice(PREFIX.length);
    return toResponse(respond({ method, url, headers: Object.fromEntries(headers), text }));
  }, description.servers);
  return { api: await load(name), controller: new Controller(), mock, description };
}

const WITHOUT_BODY = new Set([204, 205, 304]);

function toResponse({ status = 200, headers = {}, body }: Answer): Response {
  if (WITHOUT_BODY.has(status)) return new Response(null, { status, headers });
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  if (isRaw) return new Response((body ?? null) as BodyInit | null, { status, headers });
  return Response.json(body, { status, headers });
}
