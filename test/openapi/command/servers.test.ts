/** Servers of the description, of a path, of an operation: the first, or the selected server. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { complaints } from './compiled.ts';
import { contentOf, documentAt, folder, run } from './command.ts';
import * as api from './generated/servers.ts';

const servers = documentAt('servers.yaml');

test('[T3] an operation is sent to its own server, that of its path, or the first of all', () => {
  const { ReleaseResource, FileResource } = api;
  expect([
    ReleaseResource.getList.url(),
    ReleaseResource.get.url({ id: 1 }),
    ReleaseResource.delete.url({ id: 1 }),
    ReleaseResource.partialUpdate.url({ id: 1 }, {}),
    ReleaseResource.uploadAsset.url({ id: 1 }, 'bytes'),
    FileResource.get.url({ id: 1 }),
    FileResource.delete.url({ id: 1 }),
  ]).toEqual([
    'https://eu.api.invalid:443/v1/releases',
    'https://eu.api.invalid:443/v1/releases/1',
    'https://eu.api.invalid:443/v1/releases/1',
    'https://eu.api.invalid:443/v2/releases/1',
    'https://uploads.invalid/releases/1/assets',
    'https://files.invalid/public/files/1',
    'https://admin.invalid/files/1',
  ]);
});

test('[T3] the other servers, and the values of variables, are exported', () => {
  expect(api.servers.production()).toBe('https://eu.api.invalid:443/v1');
  expect(api.servers.production({ region: 'us', port: '8443' })).toBe(
    'https://us.api.invalid:8443/v1',
  );
  expect(api.servers.sandbox).toBe('https://sandbox.api.invalid/v1');
  expect(api.servers.theServerOfUploads).toBe('https://uploads.invalid');
  // @ts-expect-error -- not one of the described regions
  api.servers.production({ region: 'mars' });
});

/** The prefix in a written module. */
const prefixIn = (text: string) => /^const urlPrefix = (.*);$/m.exec(text)?.[1];

test('[T3] --server and --variable select the first server, --prefix replaces it and leaves the others', async () => {
  const written = async (...more: string[]) => (await run(['openapi', servers, ...more])).out;
  expect(prefixIn(await written('--server', 'sandbox'))).toBe("'https://sandbox.api.invalid/v1'");
  expect(prefixIn(await written('--server', '2'))).toBe("'https://sandbox.api.invalid/v1'");
  expect(prefixIn(await written('--variable', 'region=us', '--variable', 'port=1'))).toBe(
    "'https://us.api.invalid:1/v1'",
  );
  const replaced = await written('--prefix', 'https://own.invalid/x');
  expect(prefixIn(replaced)).toBe("'https://own.invalid/x'");
  expect(replaced).toContain("'https://uploads.invalid'");
  expect(replaced).toContain("'https://own.invalid/v2'");
  for (const [told, says] of [
    [['--server', 'staging'], /--server must be one of production, sandbox, not 'staging'/],
    [['--server', '3'], /--server must be one of production, sandbox, not '3'/],
    [['--variable', 'region'], /--variable is a name and a value, region=eu, not 'region'/],
    [['--variable', 'zone=eu'], /the server has no variable 'zone'/],
    [['--variable', 'region=mars'], /region must be one of eu, us, not 'mars'/],
  ] as const)
    expect(await run(['openapi', servers, ...told])).toMatchObject({
      code: 2,
      said: [expect.stringMatching(says)],
    });
});

test('[T3] --prefix may be a name of a module: an address that is known at run time', async () => {
  const place = await folder();
  await writeFile(join(place, 'config.ts'), "export const apiUrl = 'https://' + 'late.invalid';\n");
  const out = join(place, 'api.ts');
  await run(['openapi', servers, '--prefix', './config.ts#apiUrl', '--out', out]);
  const late = (await import(/* @vite-ignore */ out)) as typeof api;
  expect(late.ReleaseResource.getList.url()).toBe('https://late.invalid/releases');
  expect(late.ReleaseResource.uploadAsset.url({ id: 1 }, 'x')).toBe(
    'https://uploads.invalid/releases/1/assets',
  );
  const files = {
    'api.ts': await contentOf(out),
    'config.ts': 'export const apiUrl: string = "";',
  };
  expect(await complaints(files)).toBe('');
});
