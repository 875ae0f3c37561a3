/** A written module, a mock server made from the same description, and a controller between. */
import { readFile } from 'node:fs/promises';
import { Controller } from 'signalbox';
import { onTestFinished, vi } from 'vitest';
import { serve } from '../setup/server.ts';
import type { Server } from '../setup/server.ts';
import { Description } from './Description.ts';
import type { Json } from './Description.ts';
import { PREFIX, descriptions, joinedOf, moduleOf } from './descriptions.ts';
import type { DescriptionName, PublishedDescription } from './descriptions.ts';
import { MockApi } from './MockApi.ts';
import type { MockOptions } from './MockApi.ts';

export interface World<Api> {
  readonly api: Api;
  readonly controller: Controller;
  readonly server: Server;
  readonly mock: MockApi;
  readonly description: Description;
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

/** Until the test ends, requests to the addresses in the written modules go to this server. */
function redirectRequests(server: Server, others: readonly string[]): void {
  const send = fetch;
  const toServer = (asked: string) => {
    const prefix = [PREFIX, ...others].find((each) => asked.startsWith(each)) ?? '';
    return server.address + asked.slice(prefix.length);
  };
  vi.stubGlobal('fetch', (asked: string, init?: RequestInit) => send(toServer(asked), init));
  onTestFinished(() => void vi.unstubAllGlobals());
}

/** Serves until the test ends. The module is `Api` as far as `tsc` has proven. */
export async function world<Api>(
  name: DescriptionName,
  options: Partial<MockOptions> = {},
): Promise<World<Api>> {
  const description = await describe(name);
  const mock = new MockApi(description, { seed: SEED, ...options });
  const server = await serve((asked) => {
    try {
      return mock.respond(asked);
    } catch (error) {
      mock.faults.push(`${asked.method} ${asked.url}: ${String(error)}`);
      return { status: 500, body: {} };
    }
  });
  redirectRequests(server, description.servers);
  const api = await load<Api>(name);
  return { api, controller: new Controller(), server, mock, description };
}
