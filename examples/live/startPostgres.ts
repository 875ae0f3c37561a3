/** A PostgreSQL of one's own: found where it is installed, started in a temporary folder, and removed with it. */
import { execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

export interface Postgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** The folder with `initdb` and `postgres`: POSTGRES_BIN, then PATH, then where Debian puts them; undefined where there is none. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = [
    process.env['POSTGRES_BIN'] ?? '',
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(debian, version, 'bin')),
  ];
  return folders.find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
}

/** Takes some seconds. Nothing is kept: what it writes need not survive a power failure. */
export async function startPostgres(bin: string): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-postgres-'));
  const user = await ordinaryUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const run = promisify(execFile);
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'live', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    user,
  );
  const port = await freePort();
  const settings = ['fsync=off', 'synchronous_commit=off', `unix_socket_directories=${folder}`];
  const server = spawn(
    join(bin, 'postgres'),
    [
      '-D',
      data,
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      ...settings.flatMap((each) => ['-c', each]),
    ],
    { ...user, stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => void server.once('exit', () => resolve()));
  // "fast": open connections are ended
  const end = () => void server.kill('SIGINT');
  process.once('exit', end);
  const stop = async () => {
    process.off('exit', end);
    end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `postgres://live@127.0.0.1:${port}/postgres`;
  try {
    await answers(url, () => server.exitCode !== null);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

/** PostgreSQL does not run as root: Debian's package makes a user for it. */
async function ordinaryUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const id = async (flag: string) =>
    Number((await promisify(execFile)('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

async function answers(url: string, hasEnded: () => boolean): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new Client(url);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (hasEnded() || tries === 200) throw error;
      await new Promise((later) => setTimeout(later, 50));
    }
  }
}
