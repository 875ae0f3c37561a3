/** Servers of the description, of a path, of an operation: the first, or the selected server. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller } from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { complaints } from './compiled.ts';
import { contentOf, documentAt, folder, run } from './command.ts';
import * as api from './generated/servers.ts';

const servers = documentAt('servers.yaml');

test('[T3] an operation is sent to its own server, else to the server of its path, else to the first server', () => {
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

test("[T3] a mutation of a list is sent to the server of the mutation's operation", () => {
  const { PhotoResource, listAlbumPhotos } = api;
  const { getList, create, update, partialUpdate } = PhotoResource;
  expect([
    getList.url(),
    getList.push.url({ name: 'a' }),
    getList.unshift.url({ name: 'a' }),
    getList.move.url({ id: 1 }, {}),
    getList.remove.url({ id: 1 }, {}),
    getList.extend({ name: 'other' }).push.url({ name: 'a' }),
    create.url({ name: 'a' }),
    update.url({ id: 1 }, { name: 'a' }),
    partialUpdate.url({ id: 1 }, {}),
    PhotoResource.delete.url({ id: 1 }),
    PhotoResource.get.url({ id: 1 }),
    listAlbumPhotos.url({ album: 'x' }),
    listAlbumPhotos.push.url({ album: 'x' }, { name: 'a' }),
  ]).toEqual([
    'https://eu.api.invalid:443/v1/photos',
    'https://uploads.invalid/photos',
    'https://uploads.invalid/photos',
    'https://admin.invalid/photos/1',
    'https://admin.invalid/photos/1',
    'https://uploads.invalid/photos',
    'https://uploads.invalid/photos',
    'https://admin.invalid/photos/1',
    'https://admin.invalid/photos/1',
    'https://admin.invalid/photos/1',
    'https://eu.api.invalid:443/v1/photos/1',
    'https://eu.api.invalid:443/v1/albums/x/photos',
    'https://uploads.invalid/albums/x/photos',
  ]);
});

test('[T3] a record created at another server joins the list, by create and by getList.push', async () => {
  let next = 1;
  const server = await serve(({ method }) =>
    method === 'POST'
      ? { status: 201, body: { id: next++, name: 'new' } }
      : { body: { photos: [] } },
  );
  const out = join(await folder(), 'api.ts');
  const text = (await contentOf(servers)).replaceAll(
    'https://uploads.invalid',
    `${server.address}/up`,
  );
  await run(['openapi', '-', '--out', out, '--prefix', server.address], text);
  const { PhotoResource } = (await import(/* @vite-ignore */ out)) as typeof api;
  const controller = new Controller();
  await controller.fetch(PhotoResource.getList);
  await controller.fetch(PhotoResource.create, { name: 'new' });
  await controller.fetch(PhotoResource.getList.push, { name: 'new' });
  const { data } = controller.getResponse(PhotoResource.getList);
  expect(data?.photos.map(({ id }) => id)).toEqual([1, 2]);
  expect(server.asked.map(({ url }) => url)).toEqual(['/photos', '/up/photos', '/up/photos']);
});

test('[T3] a list whose mutations cannot be sent to their own server is reported as a guess', async () => {
  expect((await run(['openapi', servers, '--strict'])).said).toEqual([
    'guessed: #/paths/~1photos~1latest/get: mutations of this list are sent to the server of the list',
  ]);
});

test('[T3] other servers are exported, and a server with variables is a function of their values', () => {
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

test('[T3] --server and --variable set the prefix, and --prefix replaces the prefix and keeps the other servers', async () => {
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

test('[T3] --prefix module#name imports the prefix at run time', async () => {
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

test('[T3] the default of a server variable is a valid value even if the enum omits the default', async () => {
  const zone = { default: 'any', enum: ['eu', 'us'] };
  const own = [{ url: 'https://{zone}.api.invalid', variables: { zone } }];
  const paths = { '/ping': { get: { responses: { 204: { description: 'Here' } } } } };
  const document = JSON.stringify({ openapi: '3.1.0', info: {}, servers: own, paths });
  const { out } = await run(['openapi', '-'], document);
  const use = `import { servers } from './api.ts';
const [server = () => ''] = Object.values(servers);
export const urls: string[] = [server(), server({ zone: 'us' }), server({ zone: 'any' })];
`;
  expect(await complaints({ 'api.ts': out, 'use.ts': use })).toBe('');
});
