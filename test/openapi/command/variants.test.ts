/** A record of a schema with variants has the members of all variants. */
import { Controller } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { documentAt, load, run } from './command.ts';
import type * as variants from './generated/variants.ts';

test('[T3] a schema with a key beside oneOf is one entity with the members of all variants', async () => {
  const rows = [
    { id: 1, name: 'Rex', kind: 'dog', barks: true },
    { id: 2, kind: 'cat', lives: 9 },
  ];
  const server = await serve({ body: rows });
  const { Pet, PetResource } = (await load('variants.yaml', server.address)) as typeof variants;
  const pets = await new Controller().fetch(PetResource.getList);
  expect(pets.map((pet) => ({ ...pet }))).toEqual([
    { ...new Pet(), ...rows[0] },
    { ...new Pet(), ...rows[1] },
  ]);
  expect(pets[0]).toBeInstanceOf(Pet);
  expectTypeOf(pets[0]?.kind).toEqualTypeOf<'dog' | 'cat' | undefined>();
  expectTypeOf(pets[0]?.lives).toEqualTypeOf<number | undefined>();
});

test('[T3] united variants, and records beside other values in a union, are reported', async () => {
  const { said } = await run(['openapi', documentAt('variants.yaml')]);
  expect([...said].sort()).toEqual([
    'dropped: #/components/schemas/Pet/oneOf: a record has the members of all its variants',
    'dropped: #/components/schemas/Stay/anyOf: a record has the members of all its variants',
    'dropped: #/components/schemas/Stay/properties/others/items/oneOf: a record in a union with other values is plain data',
    'dropped: #/components/schemas/Stay/properties/pet/anyOf: a record in a union with other values is plain data',
  ]);
});

test('[T3] a value without records beside another kind has the type of the value, and no second one', async () => {
  const schemas = {
    Row: {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'integer' },
        buyer: { oneOf: [{ type: 'integer' }, { $ref: '#/components/schemas/Buyer' }] },
      },
    },
    Buyer: { type: 'object', properties: { code: { type: 'string', readOnly: true } } },
  };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Row' } } };
  const get = { responses: { 200: { description: 'One', content } } };
  const paths = { '/rows/{id}': { get } };
  const document = { openapi: '3.1.0', info: {}, paths, components: { schemas } };
  const { out } = await run(['openapi', '-'], JSON.stringify(document));
  expect(out).toContain('buyer?: number | Buyer;');
  expect(out).not.toContain('BuyerJson');
});
