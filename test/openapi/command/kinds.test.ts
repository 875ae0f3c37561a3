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

test('[T3] without a mapping, the enum or const of a member selects the class, also in allOf and behind a reference', async () => {
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

test('[T3] a mapping may use names, references or files, and a class that the mapping omits is selected by its value', async () => {
  const forms = ['round', 'four', 'long', 'dot'];
  const { ShapeResource } = await api(forms.map((form, at) => ({ id: at + 1, form })));
  const shapes = await new Controller().fetch(ShapeResource.getList);
  expect(classesOf(shapes)).toEqual(['Circle', 'Square', 'Line', 'Dot']);
});

test('[T3] if several classes allow a value, the class with the fewest values is selected', async () => {
  const states = ['open', 'gone'];
  const { SessionResource } = await api(states.map((state, at) => ({ id: at + 1, state })));
  const sessions = await new Controller().fetch(SessionResource.getList);
  expect(classesOf(sessions)).toEqual(['Visit', 'Farewell']);
});

test('[T3] subtypes of a base, and subtypes of a subtype, are selected by their values', async () => {
  const species = ['dog', 'cat', 'kitten'];
  const { AnimalResource } = await api(species.map((each, at) => ({ id: at + 1, species: each })));
  const animals = await new Controller().fetch(AnimalResource.getList);
  expect(classesOf(animals)).toEqual(['Dog', 'Cat', 'Kitten']);
});

test('[T3] numbers as discriminator values select the class and keep their type', async () => {
  const { MessageResource } = await api([
    { id: 1, kind: 1, text: 'hi' },
    { id: 2, kind: 2, size: 7 },
  ]);
  const messages = await new Controller().fetch(MessageResource.getList);
  expect(classesOf(messages)).toEqual(['TextMessage', 'FileMessage']);
  expectTypeOf(messages[0]?.kind).toEqualTypeOf<1 | 2 | undefined>();
});

test('[T3] a union within a union is resolved by the values of the inner members', async () => {
  const tones = ['good', 'loud', 'quiet'];
  const { NoticeResource } = await api(tones.map((tone, at) => ({ id: at + 1, tone })));
  const notices = await new Controller().fetch(NoticeResource.getList);
  expect(classesOf(notices)).toEqual(['Good', 'Loud', 'Quiet']);
});

test('[T3] a base schema is one of its own variants by the mapping, by its name, or by its own value', async () => {
  const { NodeResource } = await api([
    { id: 1, type: 'node' },
    { id: 2, type: 'leaf', color: 'red', parent: { id: 1, type: 'node' } },
  ]);
  const nodes = await new Controller().fetch(NodeResource.getList);
  expect(classesOf(nodes)).toEqual(['BaseNode', 'LeafNode']);
  expect(nodes[1]?.parent).toBe(nodes[0]);
  for (const each of nodes)
    if (each.type === 'leaf') expectTypeOf(each).toEqualTypeOf<kinds.LeafNode>();

  const { PageResource } = await api([
    { id: 1, type: 'Page' },
    { id: 2, type: 'Draft', until: '2026-01-01T00:00:00Z' },
  ]);
  const pages = await new Controller().fetch(PageResource.getList);
  expect(classesOf(pages)).toEqual(['BasePage', 'Draft']);

  const { EntryResource } = await api([
    { id: 1, type: 'line' },
    { id: 2, type: 'head' },
  ]);
  const entries = await new Controller().fetch(EntryResource.getList);
  expect(classesOf(entries)).toEqual(['BaseEntry', 'Heading']);
});

test('[T3] a union with members of its own is one of its variants if the mapping lists the union', async () => {
  const { ToneResource } = await api([
    { id: 1, type: 'tone' },
    { id: 2, type: 'chord', size: 3 },
  ]);
  const tones = await new Controller().fetch(ToneResource.getList);
  expect(classesOf(tones)).toEqual(['BaseTone', 'Chord']);
  expectTypeOf(tones).toEqualTypeOf<(kinds.BaseTone | kinds.Chord)[]>();
});

test('[T3] a discriminator value is found in allOf, in a variant and beside a reference', async () => {
  const types = ['coupe', 'van', 'bicycle', 'ferry', 'liner', 'sledge'];
  const { VehicleResource } = await api(types.map((type, at) => ({ id: at + 1, type })));
  const vehicles = await new Controller().fetch(VehicleResource.getList);
  expect(classesOf(vehicles)).toEqual(['Car', 'Car', 'Bike', 'Ship', 'Ship', 'Sled']);
});

test('[T3] the list of a subtype has the same entities as the list of its base', async () => {
  const rows = [
    { id: 1, kind: 'firm', since: '2020-01-01T00:00:00Z' },
    { id: 2, kind: 'trust', owner: { id: 1, kind: 'firm', tax: '7' } },
  ];
  const { PartyResource, LegalResource } = await api(rows);
  const controller = new Controller();
  const parties = await controller.fetch(PartyResource.getList);
  const legals = await controller.fetch(LegalResource.getList);
  expect(classesOf(legals)).toEqual(['Firm', 'Trust']);
  expect(legals).toEqual(parties);
  expect(legals[0]).toBe((legals[1] as kinds.Trust).owner);
  expect((legals[0] as kinds.Firm).since).toEqual(new Date('2020-01-01T00:00:00Z'));
  expectTypeOf(legals).toEqualTypeOf<(kinds.Firm | kinds.Trust)[]>();
});

test('[T3] a discriminator in an allOf part of a base selects the subtypes of the base', async () => {
  const { FigureResource } = await api([
    { id: 1, form: 'oval', drawn: '2020-01-01T00:00:00Z' },
    { id: 2, form: 'cube', edge: 3 },
  ]);
  const figures = await new Controller().fetch(FigureResource.getList);
  expect(classesOf(figures)).toEqual(['Oval', 'Cube']);
  expect((figures[0] as kinds.Oval).drawn).toEqual(new Date('2020-01-01T00:00:00Z'));
});

test('[T3] subtypes that add no members to their base are separate classes', async () => {
  const rows = ['Beat', 'Alarm', 'Call'].map((kind, at) => ({ id: at + 1, kind }));
  const { SignalResource } = await api(rows);
  const signals = await new Controller().fetch(SignalResource.getList);
  expect(classesOf(signals)).toEqual(['Beat', 'Alarm', 'Call']);
  expectTypeOf(signals).toEqualTypeOf<
    (kinds.Beat | kinds.Alarm | kinds.Call | kinds.BaseSignal)[]
  >();
  // the members of a base behind another name
  expectTypeOf(signals[0]?.id).toEqualTypeOf<number | undefined>();
});
