/** Unions: the discriminator's value for a kind is from the schema or the mapping, else the schema's name. */
import { Controller } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { load } from './command.ts';
import type * as kinds from './generated/kinds.ts';

/** The written module, for a server that responds with these rows to each request. */
async function api(rows: readonly object[]): Promise<typeof kinds> {
  const server = await serve({ body: rows });
  return (await load('kinds.yaml', server.address)) as typeof kinds;
}

const classesOf = (rows: readonly object[]): string[] =>
  rows.map(({ constructor }) => constructor.name);

test('[T3] without a mapping the enum or const of a member tells the kind, in a part or behind a reference, too', async () => {
  const rows = [
    { id: 1, type: 'login', user: 'ada' },
    { id: 2, type: 'logout', after: 5 },
    { id: 3, type: 'error', reason: 'x' },
    { id: 4, type: 'fatal', reason: 'y' },
  ];
  const { EventResource } = await api(rows);
  const events = await new Controller().fetch(EventResource.getList);
  expect(classesOf(events)).toEqual(['LoginEvent', 'LogoutEvent', 'ErrorEvent', 'ErrorEvent']);
  for (const each of events)
    if (each.type === 'logout') expectTypeOf(each.after).toEqualTypeOf<number | undefined>();
});

test('[T3] a mapping names by name, by reference or by file; a kind that it leaves out is told by its value', async () => {
  const forms = ['round', 'four', 'long', 'dot'];
  const { ShapeResource } = await api(forms.map((form, at) => ({ id: at + 1, form })));
  const shapes = await new Controller().fetch(ShapeResource.getList);
  expect(classesOf(shapes)).toEqual(['Circle', 'Square', 'Line', 'Dot']);
});

test('[T3] of several members with a value, the one with the fewest values has it', async () => {
  const states = ['open', 'gone'];
  const { SessionResource } = await api(states.map((state, at) => ({ id: at + 1, state })));
  const sessions = await new Controller().fetch(SessionResource.getList);
  expect(classesOf(sessions)).toEqual(['Visit', 'Farewell']);
});

test('[T3] heirs of a base, and their heirs, are told apart by their values', async () => {
  const species = ['dog', 'cat', 'kitten'];
  const { AnimalResource } = await api(species.map((each, at) => ({ id: at + 1, species: each })));
  const animals = await new Controller().fetch(AnimalResource.getList);
  expect(classesOf(animals)).toEqual(['Dog', 'Cat', 'Kitten']);
});

test('[T3] numbers tell kinds apart, and keep their type', async () => {
  const { MessageResource } = await api([
    { id: 1, kind: 1, text: 'hi' },
    { id: 2, kind: 2, size: 7 },
  ]);
  const messages = await new Controller().fetch(MessageResource.getList);
  expect(classesOf(messages)).toEqual(['TextMessage', 'FileMessage']);
  expectTypeOf(messages[0]?.kind).toEqualTypeOf<1 | 2 | undefined>();
});

test('[T3] a union in a union is told by the values of its own members', async () => {
  const tones = ['good', 'loud', 'quiet'];
  const { NoticeResource } = await api(tones.map((tone, at) => ({ id: at + 1, tone })));
  const notices = await new Controller().fetch(NoticeResource.getList);
  expect(classesOf(notices)).toEqual(['Good', 'Loud', 'Quiet']);
});
