/** Names given by users, and the report of used names. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { complaints } from './compiled.ts';
import { documentAt, folder, run } from './command.ts';

const tracker = documentAt('tracker.json');

const isNote = (line: string): boolean => line.startsWith('note: ');

async function config(content: string): Promise<string> {
  const file = join(await folder(), 'names.json');
  await writeFile(file, content);
  return file;
}

test('[T3] --config renames schemas, resources and operations', async () => {
  const file = await config(
    JSON.stringify({
      schemas: { 'minimal-repository': 'Repo', milestone: 'Goal' },
      resources: { '/repos/{owner}/{repo}': 'Repository' },
      operations: { 'issues/lock': 'close', 'issues/list': 'getEverything' },
    }),
  );
  const { code, out, said } = await run(['openapi', tracker, '--config', file]);
  expect([code, said.filter(isNote)]).toEqual([0, []]);
  expect(out).toMatch(/^export class Repo extends Entity/m);
  expect(out).toMatch(/^export class Goal extends Entity/m);
  expect(out).toMatch(/^export const Repository = \{/m);
  expect(out).toMatch(/^ {2}close: \{$/m);
  expect(out).toMatch(/^export const getEverything = new RestEndpoint/m);
});

test('[T3] --config notes names that the description lacks, and rejects invalid content with code 2', async () => {
  const gone = await config('{"operations": {"issues/close": "close"}}');
  const { said: notes } = await run(['openapi', tracker, '--config', gone]);
  expect(notes.filter(isNote)).toEqual([
    'note: operations: issues/close is renamed, and is not described',
  ]);
  const refused: readonly (readonly [string, RegExp])[] = [
    ['{', /is not a valid configuration: .*JSON/],
    ['[]', /it is not an object/],
    ['{"operationIds": {}}', /'operationIds' is not one of schemas, resources, operations/],
    ['{"schemas": {"issue": "class"}}', /'issue' needs a name that TypeScript/],
    ['{"schemas": {"issue": 5}}', /'issue' needs a name/],
    ['{"schemas": {"issue": "A", "milestone": "A"}}', /'A' is given twice/],
  ];
  for (const [content, says] of refused) {
    const { code, out, said } = await run(['openapi', tracker, '--config', await config(content)]);
    expect([code, out, said]).toEqual([2, '', [expect.stringMatching(says)]]);
  }
  const { said } = await run(['openapi', tracker, '--config', '/no/such/file.json']);
  expect(said).toEqual([expect.stringMatching(/cannot read '\/no\/such\/file.json'/)]);
});

test('[T3] --explain lists the schemas of each entity, the reasons, and the primary key', async () => {
  const { code, out, said } = await run(['openapi', tracker, '--explain']);
  expect([code, out]).toEqual([0, (await run(['openapi', tracker])).out]);
  expect(said).toEqual(
    expect.arrayContaining([
      'Repository is full-repository: its key is owner.login, name, else id (/repos/{owner}/{repo})',
      '  and minimal-repository: the names and members match full-repository',
      '  and issue (inline schema): it is issue with more members',
      'MilestoneResource is /repos/{owner}/{repo}/milestones/{milestone_number}: get, delete, getList',
    ]),
  );
});

test('[T3] a resource at a second path is named after the path, and a record after the last part of a dotted name', async () => {
  const one = { $ref: '#/components/schemas/api.v1.membership' };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const at = { get: { responses: { 200: json(one) } }, delete: { responses: { 204: {} } } };
  const document = {
    openapi: '3.1.0',
    info: {},
    paths: {
      '/memberships/{id}': at,
      '/enterprises/{enterprise}/movies/{movie}/statuses/{id}': at,
      '/dates': {
        get: {
          operationId: 'list',
          responses: { 200: json({ $ref: '#/components/schemas/Date' }) },
        },
      },
    },
    components: {
      schemas: {
        'api.v1.membership': { required: ['id'], properties: { id: { type: 'integer' } } },
        Date: { type: 'object', properties: { day: { type: 'integer' } } },
      },
    },
  };
  const { out } = await run(['openapi', '-'], JSON.stringify(document));
  expect(
    [...out.matchAll(/^export (?:class|interface|const) (\w+)/gm)].map(([, name]) => name),
  ).toEqual([
    'DateType',
    'Membership',
    'MembershipResource',
    'EnterpriseMovieStatusResource',
    'list',
  ]);
});

test('[T3] variables of generated functions do not collide with params of the same name', async () => {
  const schema = {
    type: 'object',
    required: ['number'],
    properties: { number: { type: 'integer' } },
  };
  const get = { responses: { 200: { content: { 'application/json': { schema } } } } };
  const path = '/{call}/{own}/{a-bc}/{aBc}/things/{number}';
  const variables = { 'a-bc': { default: 'x' }, aBc: { default: 'y' } };
  const servers = [{ url: 'https://{a-bc}.{aBc}.invalid', variables }];
  const document = { openapi: '3.1.0', info: {}, servers, paths: { [path]: { get } } };
  const { out } = await run(['openapi', '-'], JSON.stringify(document));
  expect(await complaints({ 'api.ts': out })).toBe('');
  expect(out).toContain('keyOf(call_, own_, aBc, aBc_, this.number)');
  expect(out).toContain("'https://x.y.invalid'");
});

test('[T3] params and members named like a member of Object.prototype are renamed or left out', async () => {
  const properties = { toString: { type: 'array', items: {} }, label: { type: 'string' } };
  const schema = { type: 'object', required: ['label'], properties };
  const get = { responses: { 200: { content: { 'application/json': { schema } } } } };
  const paths = { '/{valueOf}/things/{label}': { get } };
  const document = { openapi: '3.1.0', info: {}, paths };
  const { out, said } = await run(['openapi', '-'], JSON.stringify(document));
  expect(await complaints({ 'api.ts': out })).toBe('');
  expect(out).toContain("path: '/:valueOfParam/things/:label'");
  expect(out).toContain('keyOf(valueOfParam, this.label)');
  expect(said).toEqual([
    expect.stringMatching(
      /properties\/toString: an entity cannot have the field toString: each object has this member$/,
    ),
  ]);
});
