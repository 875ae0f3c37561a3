// The compiler's message for a wrong call names the mistake. The compiler runs on small sources.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const head = `import { Controller, Entity, RestEndpoint, createResource } from 'signalbox';
class User extends Entity { id = 0; name = ''; }
const controller = new Controller();
const get = new RestEndpoint({ path: '/groups/:group/users/:id', schema: User });
const Users = createResource({
  path: '/users/:id',
  schema: User,
  body: {} as { name: string },
  searchParams: {} as { page?: number },
});
`;

/** Each call with the expected error. */
const calls: readonly (readonly [title: string, call: string, says: RegExp])[] = [
  ['a wrong param', 'get({ group: 1, userId: 5 });', /'userId' does not exist/],
  ['a missing param', 'get({ group: 1 });', /'id' is missing/],
  ['a param of a wrong type', 'get({ group: 1, id: true });', /'boolean' is not assignable/],
  ['a body on GET', 'get({ group: 1, id: 5 }, { name: "x" });', /Expected 1 arguments, but got 2/],
  [
    'a wrong param of a fetch',
    'controller.fetch(Users.get, { userId: 5 });',
    /'userId' does not exist/,
  ],
  ['a missing param of a fetch', 'controller.fetch(Users.get, {});', /'id' is missing/],
  ['a wrong search param', 'Users.getList({ pages: 2 });', /'pages' does not exist/],
  ['a wrong field of a body', 'Users.create({ nam: "x" });', /'nam' does not exist/],
  ['a missing field of a body', 'Users.update({ id: 5 }, {});', /'name' is missing/],
];

/** The errors by first line; the following lines belong to the same error. */
const errors = new Map<number, string>();

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-errors-'));
  try {
    writeFileSync(join(folder, 'calls.mts'), head + calls.map(([, call]) => call).join('\n'));
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { types: [], paths: { signalbox: [join(root, 'src/index.ts')] } },
      include: ['*.mts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
    const tsc = join(dirname(manifest), 'bin/tsc');
    const { stdout } = spawnSync(
      process.execPath,
      [tsc, '-p', folder, '--noEmit', '--pretty', 'false'],
      {
        encoding: 'utf8',
      },
    );
    for (const text of stdout.split(/^(?=\S*calls\.mts\()/m)) {
      const line = Number(/calls\.mts\((\d+),/.exec(text)?.[1]) - head.split('\n').length;
      errors.set(line, text);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);

test.each(calls.map((call, at) => [...call, at] as const))(
  '[E5] the compiler error for a call names %s',
  (_, _call, says, at) => {
    expect(errors.get(at)).toMatch(says);
  },
);

test('[E5] the compiler reports one error for each wrong call', () => {
  expect([...errors.keys()].sort((a, b) => a - b)).toEqual(calls.map((_, at) => at));
});
