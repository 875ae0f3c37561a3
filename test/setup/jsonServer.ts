// Starts a real json-server on a copy of some data, on a free port of this machine.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(
  new URL('../../node_modules/json-server/lib/cli/bin.js', import.meta.url),
);
const READY_WITHIN_MS = 15_000;

export interface JsonServer {
  url: string;
  close(): Promise<void>;
}

export async function startJsonServer(data: object): Promise<JsonServer> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-json-server-'));
  const file = join(folder, 'db.json');
  await writeFile(file, JSON.stringify(data));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // Started with node itself: npx would swallow the signal that ends it.
  const server = spawn(
    process.execPath,
    [bin, file, '--host', '127.0.0.1', '--port', String(port), '--quiet'],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const close = async (): Promise<void> => {
    await ended(server);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await answering(`${url}/db`, server);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL');
  await exit;
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`json-server ended with ${server.exitCode}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`json-server did not answer within ${READY_WITHIN_MS} ms`);
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
