// The Standard Schema that signalbox reads is the one of the specification.
import type { StandardSchemaV1 as Specified } from '@standard-schema/spec';
import { Entity } from 'signalbox';
import type { Denormalized, StandardSchemaV1 } from 'signalbox';
import { expectTypeOf, test } from 'vitest';

test('[N5] StandardSchemaV1 of the specification is accepted as a schema, and denormalizes to its output', () => {
  expectTypeOf<Specified<unknown, Date>>().toExtend<StandardSchemaV1<unknown, Date>>();
  expectTypeOf<Denormalized<Specified<unknown, Date>>>().toEqualTypeOf<Date>();
  class Event extends Entity {
    at = new Date(0);
    static override schema = { at: {} as Specified<string, Date> };
  }
  expectTypeOf<Denormalized<typeof Event>>().toEqualTypeOf<Event>();
});
