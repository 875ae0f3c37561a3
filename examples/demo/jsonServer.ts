/** A real REST server that nobody here wrote: json-server on a copy of a database, on a free port of the loopback. */
import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const READY_WITHIN_MS = 20_000;
const ATTEMPTS = 3;

export interface JsonServer {
  readonly url: string;
  /** How many requests the server itself has counted. */
  readonly answered: number;
  /** Ends it at once; the promise resolves when its port is free again. */
  close(): Promise<void>;
}

/** Serves a copy of `database`: the path of a JSON file, or its contents. */
export async function startJsonServer(database: string | object): Promise<JsonServer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(database, await freePort());
    } catch (error) {
      // somebody else may have taken the port in between
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function start(database: string | object, port: number): Promise<JsonServer> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-demo-'));
  const file = join(folder, 'db.json');
  if (typeof database === 'string') copyFileSync(database, file);
  else writeFileSync(file, JSON.stringify(database));
  const bin = createRequire(import.meta.url).resolve('json-server/lib/cli/bin.js');
  const server = spawn(
    process.execPath,
    [bin, file, '--host', '127.0.0.1', '--port', String(port)],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      // its log, one line a request, is what we count; it is silent when this says "test"
      env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
    },
  );
  const log = listen(server);
  const ended = new Promise<void>((resolve) => void server.once('exit', () => resolve()));
  const end = (): void => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const close = async (): Promise<void> => {
    process.off('exit', end);
    end();
    if (server.exitCode === null && server.signalCode === null) await ended;
  };
  // whatever ends this process ends the server and takes its folder away
  process.on('exit', end);
  const url = `http://127.0.0.1:${port}`;
  try {
    await ready(url, server, log);
  } catch (error) {
    await close();
    throw error;
  }
  const before = log.requests;
  return {
    url,
    close,
    get answered() {
      return log.requests - before;
    },
  };
}

interface Log {
  text: string;
  requests: number;
}

function listen(server: ChildProcess): Log {
  const log: Log = { text: '', requests: 0 };
  let rest = '';
  server.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    log.requests += lines.filter((line) => /\b(GET|POST|PUT|PATCH|DELETE) \//.test(line)).length;
  });
  server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    log.text += chunk;
  });
  return log;
}

async function ready(url: string, server: ChildProcess, log: Log): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) {
      throw new Error(`json-server ended with ${server.exitCode}. ${log.text}`.trim());
    }
    const answer = await fetch(`${url}/db`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true) return logged(log);
    await pause(50);
  }
  throw new Error(`json-server did not answer within ${READY_WITHIN_MS / 1000} s`);
}

/** The line about an answer comes a moment after the answer. */
async function logged(log: Log): Promise<void> {
  for (let turn = 0; turn < 20 && log.requests === 0; turn++) await pause(10);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
