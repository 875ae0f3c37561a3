/** The command: the output and the place of the output, and the messages for unreadable input. */
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { contentOf, documentAt, folder, run } from './command.ts';
import { complaints } from './compiled.ts';

const documents = readdirSync(documentAt(''));
const petstore = documentAt('petstore.yaml');

test.each(documents)(
  '[T3] the module written from %s equals the committed module',
  async (file) => {
    const { code, out } = await run(['openapi', documentAt(file)]);
    expect(code).toBe(0);
    // `-u` rewrites the modules, for review; the compiler reads the modules with all tests
    await expect(out).toMatchFileSnapshot(`generated/${file.replace(/\.\w+$/, '.ts')}`);
  },
);

test('[T3] the same description gives the same text from a file and from standard input', async () => {
  const first = await run(['openapi', petstore]);
  const second = await run(['openapi', '-'], await contentOf(petstore));
  expect(second).toEqual(first);
});

test('[T3] --out writes a file, and --check compares the file with the description and writes nothing', async () => {
  const out = join(await folder(), 'api.ts');
  const check = ['openapi', petstore, '--out', out, '--check'];
  expect(await run(check)).toMatchObject({
    code: 1,
    said: [expect.stringContaining('does not exist')],
  });
  expect(await run(['openapi', petstore, '-o', out])).toEqual({ code: 0, out: '', said: [] });
  expect(await run(check)).toEqual({ code: 0, out: '', said: [] });
  await writeFile(out, 'changed');
  expect(await run(check)).toMatchObject({
    code: 1,
    out: '',
    said: [expect.stringMatching(/differs from the description/)],
  });
  expect(await contentOf(out)).toBe('changed');
});

test('[T3] a file that extends the written module stays as it is, and compiles, when the module is rewritten', async () => {
  const place = await folder();
  const [api, own] = [join(place, 'api.ts'), join(place, 'pets.ts')];
  const added = `import { PetResource } from './api.ts';

export const Pets = PetResource.extend('groom', { path: '/pets/:petId/groom', method: 'POST', body: undefined });
export const groom = () => Pets.groom({ petId: 1 });
`;
  await writeFile(own, added);
  await run(['openapi', petstore, '--out', api]);
  const before = await contentOf(api);
  const later = (await contentOf(petstore)).replace('Pet store', 'Pet store of today');
  await run(['openapi', '-', '--out', api], later);
  expect(await contentOf(api)).not.toBe(before);
  expect(await contentOf(own)).toBe(added);
  const files = { 'api.ts': await contentOf(api), 'pets.ts': added };
  expect(await complaints(files)).toBe('');
});

test('[T3] options set the prefix, the import, the endpoint class, and dates as strings', async () => {
  const told = `--prefix= --import=#signalbox --dates=string --endpoint=./Api.ts#ApiEndpoint`;
  const { out } = await run(['openapi', petstore, ...told.split(' ')]);
  expect(out).toContain("const urlPrefix = '';");
  expect(out).toContain("import { Collection, createResource, Entity, sendAs } from '#signalbox';");
  expect(out).toContain("import { ApiEndpoint } from './Api.ts';");
  expect(out).toContain('export const getSettings = new ApiEndpoint({');
  expect(out.match(/Endpoint: ApiEndpoint/g)).toHaveLength(2);
  expect(out).toContain("  born = '';");
  expect(out).not.toMatch(/\bDate\b/);
});

test('[T3] only names that the module uses are imported: none for webhooks, and none that only a text mentions', async () => {
  const said = 'Use ApiEndpoint, toInstant(text), or new Union(…)';
  const schemas = { Item: { type: 'object', description: said, properties: {} } };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } };
  const changed = { post: { requestBody: { content }, responses: {} } };
  const given = ['--endpoint=./Api.ts#ApiEndpoint', '--dates=./dates.ts#toInstant'];
  const { out } = await run(['openapi', '-', ...given], at(schemas, { webhooks: { changed } }));
  expect(out).not.toContain('import');
  expect(out).toContain(' */\n\n/** Use ApiEndpoint');
  // names beyond ASCII, and the name of the class in the library
  const endpoint = (name: string) => `import { RestEndpoint as Base } from 'signalbox';
    import type { RestGenerics } from 'signalbox';
    export class ${name}<O extends RestGenerics = any> extends Base<O> {}`;
  const files: Record<string, string> = {};
  for (const name of ['$Api', 'Épi', 'RestEndpoint']) {
    const from = `./${name.replace(/\W/g, '_')}.Own.ts`;
    const custom = await run([
      'openapi',
      documentAt('statuses.yaml'),
      `--endpoint=${from}#${name}`,
    ]);
    expect(custom.out).toContain(`import { ${name} } from '${from}';`);
    files[from] = endpoint(name);
    files[from.replace('Own', 'api')] = custom.out;
  }
  expect(await complaints(files)).toBe('');
});

test('[T3] --help prints the usage', async () => {
  for (const args of [['--help'], ['openapi', '--help']]) {
    const { code, out } = await run(args);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('signalbox openapi <file | -> [options]'),
    ]);
  }
});

const at = (schemas: object, more: object = {}) =>
  JSON.stringify({ openapi: '3.1.0', info: {}, paths: {}, components: { schemas }, ...more });

const refused: Record<string, { readonly input: string; readonly says: RegExp }> = {
  'no object': { input: 'hello', says: /'-' is not JSON or YAML with an object/ },
  nothing: { input: '', says: /is not JSON or YAML/ },
  'a list': { input: '[]', says: /no object in it/ },
  'broken JSON': { input: '{"openapi": "3.1.0", "paths": {', says: /is not JSON or YAML.*JSON/ },
  'broken YAML': { input: 'openapi: [', says: /is not JSON or YAML.*line 1/ },
  'no version': {
    input: '{"info": {}}',
    says: /has nothing as its OpenAPI version; supported/,
  },
  'another version': {
    input: '{"openapi": "4.0.0"}',
    says: /has '4.0.0' as its OpenAPI version/,
  },
  'an old version': { input: '{"swagger": "1.2"}', says: /has '1.2' as its OpenAPI version/ },
  'a $ref to nothing': {
    input: at({ A: { properties: { b: { $ref: '#/components/schemas/B' } } } }),
    says: /#\/components\/schemas\/A\/properties\/b: \$ref '#\/components\/schemas\/B' does not exist in this document/,
  },
  'a $ref to another document': {
    input: at({ A: { items: { $ref: 'https://example.com/a.json' } } }),
    says: /#\/components\/schemas\/A\/items: .* not a readable file; bundle/,
  },
  'a $ref to another file': { input: at({ A: { $ref: './b.yaml#/B' } }), says: /another document/ },
  'a $ref that is no text': {
    input: at({ A: { $ref: 5 } }),
    says: /\/A: a \$ref must be a string/,
  },
  'a $ref to itself': {
    input: at({ A: { $ref: '#/components/schemas/A' } }),
    says: /refers to itself/,
  },
  'a circle of $refs': {
    input: at({ A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } }),
    says: /schemas\/A: \$ref .* refers to itself/,
  },
  'a circle of parts': {
    input: at({
      A: { anyOf: [{ $ref: '#/components/schemas/B' }, { type: 'null' }] },
      B: { allOf: [{ $ref: '#/components/schemas/A' }] },
    }),
    says: /refers to itself; put a property or a list into the cycle/,
  },
  'too deep': { input: deep(20_000), says: /'-' cannot be converted to resources: Maximum/ },
};

/** A document with a list of lists of lists. */
function deep(levels: number): string {
  const lists = `${'{"type":"array","items":'.repeat(levels)}{}${'}'.repeat(levels)}`;
  return at({ A: {} }).replace('"A":{}', `"A":${lists}`);
}

test.each(Object.entries(refused))(
  '[T3] %s: one line of error, and nothing is written',
  async (_, { input, says }) => {
    const out = join(await folder(), 'api.ts');
    const { code, said } = await run(['openapi', '-', '--out', out], input);
    expect([code, said]).toEqual([2, [expect.stringMatching(says)]]);
    expect(said[0]).not.toContain('\n');
    await expect(contentOf(out)).rejects.toThrow('ENOENT');
  },
);

test.each([
  [['openapi'], /the file is missing/],
  [['openapi', 'a', 'b'], /only one file is allowed, got 'b' too/],
  [['openapi', 'a', '--check'], /pass --out/],
  [['openapi', 'a', '--what'], /Unknown option '--what'/],
  [
    ['openapi', 'a', '--dates', 'x'],
    /--dates must be 'date', 'string', or a module and a name, .*, not 'x'/,
  ],
  [['openapi', 'a', '--endpoint', 'x'], /--endpoint is a module and a name/],
  [['openapi', '/no/such/file.yaml'], /cannot read '\/no\/such\/file.yaml': ENOENT/],
  [['opanepi'], /there is no command 'opanepi'; see/],
])('[T3] the arguments %j are rejected with the mistake', async (args, says) => {
  expect(await run(args)).toEqual({ code: 2, out: '', said: [expect.stringMatching(says)] });
});

test('[T3] an output file that cannot be written is named in the error', async () => {
  const out = join(await folder(), 'no', 'api.ts');
  expect(await run(['openapi', petstore, '--out', out])).toMatchObject({
    code: 2,
    said: [expect.stringMatching(/cannot write .*api\.ts.*ENOENT/)],
  });
});

test('[T3] a schema that refers to itself in a property is a recursive interface', async () => {
  const { code, out } = await run(
    ['openapi', '-'],
    at({ Tree: { properties: { left: { $ref: '#/components/schemas/Tree' } } } }),
  );
  expect([code, out]).toEqual([0, expect.stringContaining('interface Tree {\n  left?: Tree;\n}')]);
});

test('[T3] a record with a key from the params of the path stays plain data if another path lacks these params', async () => {
  const answer = (schema: object) => ({
    responses: { 200: { content: { 'application/json': { schema } } } },
  });
  const page = { $ref: '#/components/schemas/Page' };
  const schemas = { Page: { properties: { slug: { type: 'string' } } } };
  const one = { '/books/{book}/pages/{slug}': { get: answer(page) } };
  const told = await run(['openapi', '-'], at(schemas, { paths: one }));
  expect([told.code, told.said]).toEqual([0, []]);
  expect(told.out).toContain('return keyOf(book, this.slug);');
  const paths = { ...one, '/newest': { get: answer(page) } };
  const { code, out, said } = await run(['openapi', '-'], at(schemas, { paths }));
  const reason = 'note: Page is plain data: GET /newest returns the record without book';
  expect([code, said]).toEqual([0, [reason]]);
  expect(out).toContain('process: (value: Page) => value');
});

test('[T3] a writeOnly member is no primary key', async () => {
  const secret = { properties: { secretId: { type: 'string', writeOnly: true }, title: {} } };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } };
  const params = [{ name: 'secretId', in: 'path', required: true, schema: { type: 'string' } }];
  const get = { parameters: params, responses: { 200: { description: '', content } } };
  const { out } = await run(
    ['openapi', '-'],
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1' },
      paths: { '/notes/{secretId}': { get } },
      components: { schemas: { Note: { type: 'object', ...secret } } },
    }),
  );
  expect(out).toMatch(/(type|interface) Note\b/);
  expect(out).not.toContain('this.secretId');
  expect(await complaints({ 'api.ts': out })).toBe('');
});

test('[T3] a description with a hundred paths gives a module that compiles, with lines of at most 100 characters', async () => {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const schemas: Record<string, object> = {};
  const paths: Record<string, object> = {};
  for (let at = 0; at < 50; at++) {
    const ref = { $ref: `#/components/schemas/Kind${at}` };
    const other = { $ref: `#/components/schemas/Kind${(at * 7 + 3) % 50}` };
    schemas[`Kind${at}`] = {
      type: 'object',
      required: ['id', 'name'],
      properties: {
        id: { type: 'integer' },
        name: { type: 'string' },
        parent: other,
        others: { type: 'array', items: other },
        madeAt: { type: 'string', format: 'date-time' },
      },
    };
    const one = { responses: { 200: json(ref) } };
    paths[`/kinds${at}`] = {
      get: { responses: { 200: json({ type: 'array', items: ref }) } },
      post: { requestBody: json(ref), responses: { 201: json(ref) } },
    };
    paths[`/kinds${at}/{id}`] = {
      get: one,
      put: { requestBody: json(ref), ...one },
      patch: { requestBody: json(ref), ...one },
      delete: { responses: { 204: {} } },
    };
  }
  const { code, out } = await run(['openapi', '-'], at(schemas, { paths }));
  expect(code).toBe(0);
  expect(out.match(/^export const Kind\d+Resource = createResource\(/gm)).toHaveLength(50);
  expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
  const endpoint = `import { RestEndpoint } from 'signalbox';
    import type { RestGenerics } from 'signalbox';
    export class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {}`;
  const custom = await run(['openapi', petstore, '--endpoint', './Api.ts#ApiEndpoint']);
  const files = { 'large.ts': out, 'Api.ts': endpoint, 'custom.ts': custom.out };
  expect(await complaints(files)).toBe('');
});

test('[T3] docs/openapi.md shows the module written from the description on the page', async () => {
  const page = await contentOf(fileURLToPath(new URL('../../../docs/openapi.md', import.meta.url)));
  const [description, written] = ['yaml', 'ts'].map(
    (language) => new RegExp(`\n\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1],
  );
  expect((await run(['openapi', '-'], description)).out).toBe(written);
});

test('[T3] an unnamed record is named after its path, and DELETE /orders/{orderNo}/tags/{id} deletes no tag', async () => {
  const answer = (schema: object) => ({
    responses: { 200: { content: { 'application/json': { schema } } } },
  });
  const tag = { $ref: '#/components/schemas/Tag' };
  const order = { type: 'object', properties: { orderNo: { type: 'integer' }, tag } };
  const { out, said } = await run(
    ['openapi', '-'],
    at(
      { Tag: { properties: { id: { type: 'integer' } } } },
      {
        paths: {
          '/tags/{id}': { get: answer(tag) },
          '/orders': { get: answer({ type: 'array', items: order }) },
          '/orders/{orderNo}': { get: answer(order) },
          '/orders/{orderNo}/tags': { get: answer({ type: 'array', items: tag }) },
          '/orders/{orderNo}/tags/{id}': {
            delete: { operationId: 'untag', responses: { 204: {} } },
          },
        },
      },
    ),
  );
  expect(said).toEqual([]);
  expect(out).toContain('export class Order extends Entity {\n  orderNo = 0;');
  expect(out).toContain("path: '/orders/:orderNo/tags/:id', method: 'DELETE', schema: undefined");
  expect(out).toContain("getList: { path: '/orders/:orderNo/tags' }");
  expect(out).not.toContain('delete: tagResource');
  expect(out).toContain('getList: orderResource.getList');
});

test('[T3] a nullable body with an impossible type compiles', async () => {
  const impossible = { allOf: [{ type: 'string' }, { type: 'integer' }] };
  const schema = { oneOf: [impossible, { type: 'null' }] };
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  const post = { operationId: 'impossible', requestBody, responses: { 204: {} } };
  const { code, out } = await run(['openapi', '-'], at({}, { paths: { '/a': { post } } }));
  expect(code).toBe(0);
  expect(out).toContain('body: null as string & number | null');
  expect(await complaints({ 'impossible.ts': out })).toBe('');
});

test('[T3] a union within an intersection is in parentheses', async () => {
  const either = { oneOf: [{ type: ['boolean', 'null'] }], discriminator: { propertyName: 'a' } };
  const schema = { allOf: [{ type: 'string' }, either] };
  const post = {
    operationId: 'both',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 204: {} },
  };
  const { code, out } = await run(['openapi', '-'], at({}, { paths: { '/a': { post } } }));
  expect(code).toBe(0);
  expect(out).toContain('body: {} as string & (boolean | null)');
});
