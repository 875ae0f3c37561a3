/** Random descriptions with odd names: the output is TypeScript, and nothing else. */
import * as fc from 'fast-check';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { runs } from '../../laws/runs.ts';
import { seed } from '../../setup/seed.ts';
import { run } from './command.ts';
import { complaints } from './compiled.ts';

const words =
  'class __proto__ constructor toString valueOf call own pk id key schema Entity Date 1 a-b a_b a.b aB { } : *';
const signs = `' " \` \\ \${x} */ /* // </script> @ts-nocheck 日本 é 👍`;
const unseen = ['\n', '\u2028', '\0', '\u202e', 'e\u0301', ' '];
const odd = fc.constantFrom(...words.split(' '), ...signs.split(' '), ...unseen);
const name = fc.oneof(
  odd,
  fc.array(odd, { minLength: 1, maxLength: 3 }).map((all) => all.join('')),
  fc.string(),
);
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 5, selector: (each) => each });

const refTo = (components: readonly string[]): fc.Arbitrary<object> =>
  fc.constantFrom(...components).map((each) => ({
    $ref: `#/components/schemas/${encodeURIComponent(each.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
  }));

/** A schema that may refer to components of these names. */
const schemaOf = (components: readonly string[]): fc.Arbitrary<object> =>
  fc.letrec<{ schema: object }>((tie) => {
    const ref = refTo(components);
    const parts = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
    const members = fc.array(fc.tuple(name, tie('schema')), { maxLength: 4 });
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        fc.constantFrom({}, { type: 'string' }, { type: 'integer' }, { type: ['boolean', 'null'] }),
        fc.constantFrom(
          { type: 'string', format: 'date-time' },
          { type: 'string', format: 'binary' },
        ),
        ref,
        fc.array(fc.oneof(name, fc.integer(), fc.boolean())).map((values) => ({ enum: values })),
        name.map((value) => ({ type: 'string', default: value, description: value })),
        tie('schema').map((items) => ({ type: 'array', items })),
        tie('schema').map((inner) => ({ type: 'object', additionalProperties: inner })),
        parts.map((prefixItems) => ({ type: 'array', prefixItems })),
        parts.map((allOf) => ({ allOf })),
        fc
          .tuple(parts, name)
          .map(([oneOf, propertyName]) => ({ oneOf, discriminator: { propertyName } })),
        fc.tuple(members, fc.subarray(['readOnly', 'writeOnly'])).map(([all, flags]) => ({
          type: 'object',
          required: all.slice(1).map(([key]) => key),
          properties: Object.fromEntries(
            all.map(([key, inner]) => [
              key,
              { ...inner, ...Object.fromEntries(flags.map((flag) => [flag, true])) },
            ]),
          ),
        })),
      ),
    };
  }).schema;

const segment = fc.oneof(
  name.map((each) => each.replaceAll('/', '')),
  name.map((each) => `{${each.replace(/[{}/]/g, '')}}`),
);
const path = fc.oneof(
  fc.array(segment, { minLength: 1, maxLength: 4 }).map((all) => `/${all.join('/')}`),
  fc.constantFrom(
    '/a',
    '/a/{id}',
    '/a/{id}/b',
    '/a/{id}/b/{bId}',
    '/a/{id}/c',
    '/d/',
    '/d/{x}/',
    '/e/{f}/{id}',
  ),
);

const description = names.chain((components) => {
  const schema = schemaOf(components);
  const ref = refTo(components);
  const rows = ref.map((items) => ({ type: 'array', items }));
  const envelope = fc
    .tuple(name, fc.oneof(ref, rows))
    .map(([key, inner]) => ({ properties: { [key]: inner } }));
  const record = fc.tuple(schema, schema, ref).map(([first, second, other]) => ({
    properties: { id: { type: 'integer' }, first, second, other },
  }));
  const answer = fc
    .oneof(schema, ref, rows, envelope)
    .map((each) => ({ 200: { content: { 'application/json': { schema: each } } } }));
  const operation = fc.record(
    {
      operationId: name,
      description: name,
      parameters: fc.array(fc.record({ in: fc.constant('query'), name, schema }), { maxLength: 2 }),
      requestBody: schema.map((each) => ({ content: { 'application/json': { schema: each } } })),
      responses: answer,
    },
    { requiredKeys: ['responses'] },
  );
  const methods = fc.constantFrom('get', 'post', 'put', 'patch', 'delete');
  return fc.record({
    openapi: fc.constant('3.1.0'),
    info: fc.record({ title: name, version: name }),
    servers: name.map((url) => [{ url }]),
    paths: fc.dictionary(path, fc.dictionary(methods, operation), { maxKeys: 5 }),
    components: fc
      .array(fc.oneof(schema, record), {
        minLength: components.length,
        maxLength: components.length,
      })
      .map((all) => ({
        schemas: Object.fromEntries(components.map((each, at) => [each, all[at]])),
      })),
  });
});

/** Statements that a module of resources is made of. */
const STATEMENT =
  /^(import|export const|export class|export type|export interface|const urlPrefix = |type PkArgs = |const (orNull|atServers|sendEach|paramsOf|keyOf) = |const \S+ = createResource\(|\S+\.schema = \{)/u;

test('[T3] the module written from a random description parses, and has only declarations', async () => {
  let written = 0;
  await fc.assert(
    fc.asyncProperty(description, async (document) => {
      const { code, out, said } = await run(['openapi', '-'], JSON.stringify(document));
      // the only possible fault of these descriptions
      const refused = said.filter((line) => line.includes('refers to itself'));
      expect(code).toBe(refused.length * 2);
      written += 1 - refused.length;
      const { program, errors } = parseSync('api.ts', out, { sourceType: 'module' });
      expect(errors.map(({ message }) => `${message}\n${out}`)).toEqual([]);
      const statements = program.body.map(({ start, end }) => out.slice(start, end));
      expect(statements.filter((text) => !STATEMENT.test(text))).toEqual([]);
    }),
    runs(),
  );
  expect(written).toBeGreaterThan(runs().numRuns / 2);
});

test('[T3] the compiler accepts the modules written from random descriptions', async () => {
  const files: Record<string, string> = {};
  for (const [at, document] of fc.sample(description, { numRuns: 40, seed }).entries()) {
    files[`api${at}.ts`] =
      (await run(['openapi', '-'], JSON.stringify(document))).out || 'export {};';
  }
  const found = await complaints(files);
  const [, first] = /(api\d+\.ts)/.exec(found) ?? [];
  expect(found && `seed ${seed}\n${found}\n${files[first ?? '']}`).toBe('');
});
