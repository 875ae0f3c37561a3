// Recorded answers of api.github.com, served from this machine.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { serve } from '../setup/server.ts';
import type { Server } from '../setup/server.ts';

interface Recorded {
  readonly path: string;
  readonly status: number;
  readonly response: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Replays the requests of a recorded scenario, in any order of search params. */
export async function serveGitHub(scenario: string): Promise<Server> {
  const file = `@octokit/fixtures/scenarios/api.github.com/${scenario}/normalized-fixture.json`;
  const text = await readFile(createRequire(import.meta.url).resolve(file), 'utf8');
  const recorded = JSON.parse(text) as Recorded[];
  return serve(({ url }) => {
    const found = recorded.find(({ path }) => sorted(path) === sorted(url));
    if (found === undefined) return { status: 404, body: { message: 'Not Found' } };
    const { link } = found.headers;
    return { status: found.status, headers: link ? { link } : {}, body: found.response };
  });
}

function sorted(path: string): string {
  const [head, search] = path.split('?');
  const params = new URLSearchParams(search);
  params.sort();
  return `${head}?${params.toString()}`;
}
