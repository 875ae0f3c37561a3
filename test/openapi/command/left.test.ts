/** The command reports dropped and guessed parts with the place in the description. */
import { expect, test } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentAt, folder, run } from './command.ts';

test('[T3] each part of a description that is not written is reported in one line with its place', async () => {
  const { code, said } = await run(['openapi', documentAt('left.yaml')]);
  expect(code).toBe(0);
  expect([...said].sort()).toEqual([
    'dropped: #/components/headers/Total: response headers are not read',
    'dropped: #/components/schemas/Item/properties/count/not: TypeScript has no type for `not`',
    'dropped: #/components/schemas/Item/properties/open/additionalProperties: additional members are not typed beside described members',
    'dropped: #/components/schemas/Item/properties/parts/prefixItems/0/$dynamicRef: TypeScript has no type for `$dynamicRef`',
    'dropped: #/components/schemas/Item/properties/pk: an entity cannot have the field pk: the library uses this name',
    'dropped: #/components/securitySchemes/mutual: `authorize` adds nothing for this scheme',
    'dropped: #/components/securitySchemes/odd: `authorize` adds nothing for this scheme',
    'dropped: #/paths/~1imports/post/parameters/0/schema/dependentRequired: TypeScript has no type for `dependentRequired`',
    'dropped: #/paths/~1imports/post/requestBody/content/multipart~1form-data/encoding/sheet/headers: parts are sent without headers',
    'dropped: #/paths/~1imports/post/requestBody/content/multipart~1form-data/schema/properties/rule/not: TypeScript has no type for `not`',
    'dropped: #/paths/~1imports/post/responses/200/content/application~1json/schema/additionalProperties/contains: TypeScript has no type for `contains`',
    'dropped: #/paths/~1imports/post/responses/200/content/application~1json/schema/patternProperties: members with several patterns are not typed',
    'dropped: #/paths/~1items/get/responses/200/content/application~1xml: application/json is read',
    'dropped: #/paths/~1items/get/responses/200/headers/X-Total: response headers are not read',
    'dropped: #/paths/~1items/get/responses/200/links/next: response links are not generated',
    'dropped: #/paths/~1items/trace: fetch cannot send TRACE',
    'dropped: #/paths/~1items~1{id}/delete/responses/202: the response to a deletion is typed as the deleted record',
    'dropped: #/paths/~1items~1{id}/put/callbacks/changed: the server sends this request',
    'dropped: #/paths/~1items~1{id}/put/requestBody/content/application~1x-www-form-urlencoded: application/json is sent',
    'dropped: #/webhooks/itemChanged: the server sends this request',
    'guessed: #/paths/~1sums~1{ids}/parameters/0: a list or an object in a path is typed as a string',
  ]);
});

test('[T3] each guess that the description does not state is reported in one line with its place', async () => {
  const { code, said } = await run(['openapi', documentAt('short.yaml'), '--explain']);
  expect(code).toBe(0);
  const guesses = said.filter((line) => line.startsWith('guessed: '));
  expect(guesses).toEqual([
    'guessed: #/components/schemas/TaskCompact: a form of Task: a row of GET /tasks, the list above /tasks/{task_code}',
    'guessed: #/components/schemas/UserCompact: a form of User: the names and members match UserResponse',
    'guessed: #/paths/~1repos~1{owner}~1{repo}~1issues~1{index}: {index} is the member number of Issue',
  ]);
});

test('[T3] --strict exits with 1 if a guess was made, and the output stays the same', async () => {
  const guessed = await run(['openapi', documentAt('short.yaml'), '--strict']);
  expect(guessed.code).toBe(1);
  expect(guessed.out).toBe((await run(['openapi', documentAt('short.yaml')])).out);
  expect(await run(['openapi', documentAt('petstore.yaml'), '--strict'])).toMatchObject({
    code: 0,
    said: [],
  });
  // a value that is sent in another form counts, a missing part does not
  expect((await run(['openapi', documentAt('left.yaml'), '--strict'])).code).toBe(1);
  const newsroom = await run(['openapi', documentAt('newsroom.yaml'), '--strict']);
  expect(newsroom).toMatchObject({
    code: 0,
    said: Array(3).fill(expect.stringMatching(/^dropped: /)),
  });
  // beside --check as well, where the file is up to date
  const out = join(await folder(), 'api.ts');
  const args = ['openapi', documentAt('short.yaml'), '--out', out];
  await run(args);
  expect((await run([...args, '--check'])).code).toBe(0);
  expect((await run([...args, '--check', '--strict'])).code).toBe(1);
});

test('[T3] a discriminator value matched only by a similar class name is reported as a guess', async () => {
  const schemaAt = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const kind = { type: 'string', enum: ['login', 'logout'] };
  const Event = {
    type: 'object',
    required: ['id', 'kind'],
    properties: { id: { type: 'integer' }, kind },
    discriminator: { propertyName: 'kind' },
  };
  const LoginEvent = { allOf: [schemaAt('Event'), { properties: { ip: { type: 'string' } } }] };
  const LogoutEvent = { allOf: [schemaAt('Event'), { properties: { why: { type: 'string' } } }] };
  const content = { 'application/json': { schema: { type: 'array', items: schemaAt('Event') } } };
  const get = { responses: { 200: { description: 'All', content } } };
  const schemas = { Event, LoginEvent, LogoutEvent };
  const document = { openapi: '3.1.0', info: {}, paths: { '/events': { get } } };
  const input = JSON.stringify({ ...document, components: { schemas } });
  expect((await run(['openapi', '-', '--strict'], input)).said).toEqual([
    'guessed: #/components/schemas/Event: login selects LoginEvent: the names are similar',
    'guessed: #/components/schemas/Event: logout selects LogoutEvent: the names are similar',
  ]);
});

test('[T3] a body of a GET, parts of an operation without responses and a variable without a value are reported', async () => {
  const done = { description: 'Done' };
  const schema = { type: 'object', properties: { q: { type: 'string', not: { const: '' } } } };
  const requestBody = { content: { 'application/json': { schema } } };
  const empty = { type: 'object', properties: {} };
  const none = { content: { 'application/x-www-form-urlencoded': { schema: empty } } };
  const callbacks = { seen: { '{$request.query.url}': { post: { responses: { 200: done } } } } };
  const server = {
    url: 'https://{zone}.left.invalid/{base}',
    variables: { zone: { default: 'a' } },
  };
  const paths = {
    '/find': {
      servers: [{ url: 'https://{host}.left.invalid' }],
      get: { requestBody, responses: { 200: done } },
      head: { requestBody, responses: { 200: done } },
      query: { requestBody, responses: { 200: done } },
    },
    '/hooks': { post: { requestBody, callbacks } },
    // generators write an object without members where there is no body
    '/none': { get: { requestBody: none, responses: { 200: done } } },
  };
  const document = { openapi: '3.2.0', info: {}, servers: [server], paths };
  const { said } = await run(['openapi', '-'], JSON.stringify(document));
  expect([...said].sort()).toEqual([
    'dropped: #/paths/~1find/get/requestBody: fetch cannot send a body with GET',
    'dropped: #/paths/~1find/head/requestBody: fetch cannot send a body with HEAD',
    'dropped: #/paths/~1find/query/requestBody/content/application~1json/schema/properties/q/not: TypeScript has no type for `not`',
    'dropped: #/paths/~1hooks/post/callbacks/seen: the server sends this request',
    'dropped: #/paths/~1hooks/post/requestBody/content/application~1json/schema/properties/q/not: TypeScript has no type for `not`',
    'guessed: #/paths/~1find/servers/0/url: {host} has no value',
    'guessed: #/servers/0/url: {base} has no value',
  ]);
});

test('[T3] the schema of a body sent or read as text, stream or bytes, and a fragment in a path, are reported', async () => {
  const { said } = await run(['openapi', documentAt('bytes.yaml')]);
  const papers = '#/paths/~1papers~1{id}';
  expect(said).toEqual([
    `dropped: ${papers}/get/responses/200/content/application~1xml/schema: the body is a string`,
    `dropped: ${papers}~1print/post/responses/200/content/text~1event-stream/schema: the body is a stream`,
  ]);
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const requestBody = { content: { 'multipart/mixed': { schema } } };
  const post = { requestBody, responses: { 204: { description: 'Done' } } };
  const paths = { '/#Action=Send': { post } };
  const document = JSON.stringify({ openapi: '3.1.0', info: {}, paths });
  const place = '#/paths/~1#Action=Send';
  expect((await run(['openapi', '-'], document)).said).toEqual([
    `guessed: ${place}: the fragment after # is not sent`,
    `dropped: ${place}/post/requestBody/content/multipart~1mixed/schema: the body is bytes`,
  ]);
});

const ITEM = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, pk: { type: 'string' } },
};

test('[T3] a report names the place in the Swagger document, or in the file that contains the part', async () => {
  const reason = 'an entity cannot have the field pk: the library uses this name';
  const schema = { type: 'array', items: { $ref: '#/definitions/Item' } };
  const paths = { '/items': { get: { responses: { 200: { description: 'All', schema } } } } };
  const old = { swagger: '2.0', info: {}, paths, definitions: { Item: ITEM } };
  expect((await run(['openapi', '-'], JSON.stringify(old))).said).toEqual([
    `dropped: #/definitions/Item/properties/pk: ${reason}`,
  ]);

  const place = await folder();
  const items = { type: 'array', items: { $ref: 'item.json#/Item' } };
  const content = { 'application/json': { schema: items } };
  const get = { responses: { 200: { description: 'All', content } } };
  const root = { openapi: '3.1.0', info: {}, paths: { '/items': { get } } };
  await writeFile(join(place, 'api.json'), JSON.stringify(root));
  await writeFile(join(place, 'item.json'), JSON.stringify({ Item: ITEM }));
  expect((await run(['openapi', join(place, 'api.json')])).said).toEqual([
    expect.stringMatching(new RegExp(`^dropped: .*item\\.json#/Item/properties/pk: ${reason}$`)),
  ]);
});

test('[T3] a schema shared by several records, with the key names of all, is plain data and no entity', async () => {
  const schemaAt = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const kinds = ['Pod', 'Service'].map((kind) => {
    const content = { 'application/json': { schema: schemaAt(kind) } };
    const get = { responses: { 200: { description: 'One', content } } };
    return [`/ns/{namespace}/${kind.toLowerCase()}s/{name}`, { get }];
  });
  const text = { type: 'string' };
  const record = { type: 'object', properties: { metadata: schemaAt('Meta'), kind: text } };
  const Meta = { type: 'object', properties: { name: text, namespace: text, uid: text } };
  const describe = (schemas: object) => ({
    openapi: '3.1.0',
    info: {},
    paths: Object.fromEntries(kinds) as object,
    components: { schemas },
  });
  const { out, said } = await run(
    ['openapi', '-'],
    JSON.stringify(describe({ Pod: record, Service: record, Meta })),
  );
  expect(out).not.toContain('extends Entity');
  expect(said).toEqual([
    'note: Meta is plain data: /ns/{namespace}/pods/{name} and /ns/{namespace}/services/{name} would share keys',
  ]);
  // an envelope around the record that the path names is no record
  const profile = { type: 'object', properties: { data: schemaAt('Service') } };
  const enveloped = await run(
    ['openapi', '-'],
    JSON.stringify(describe({ Pod: profile, Service: { ...record, ...Meta } })),
  );
  expect(enveloped.out).toContain('class Service extends Entity');
});

test('[T3] a record without the key of its path is named, also with objects inside, and an envelope is not', async () => {
  const schemaAt = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const text = { type: 'string' };
  const schemas = {
    Links: { type: 'object', properties: { self: text } },
    Person: { type: 'object', properties: { name: text, links: schemaAt('Links') } },
    Order: { type: 'object', properties: { id: text, links: schemaAt('Links') } },
    OrderAnswer: {
      type: 'object',
      properties: { data: schemaAt('Order'), links: schemaAt('Links') },
    },
  };
  const read = (name: string) => {
    const content = { 'application/json': { schema: schemaAt(name) } };
    return { get: { responses: { 200: { description: 'One', content } } } };
  };
  const paths = { '/people/{id}': read('Person'), '/orders/{id}': read('OrderAnswer') };
  const document = { openapi: '3.1.0', info: {}, paths, components: { schemas } };
  expect((await run(['openapi', '-'], JSON.stringify(document))).said).toEqual([
    'note: Person is plain data: no member matches the last param of /people/{id}',
  ]);
});
