/** An application's edit on each written module: a list is fetched, the first row is changed, and the list shows the change. */
import { Entity } from 'signalbox';
import { expect, test, vi } from 'vitest';
import { isObject } from './Description.ts';
import type { Description, Json } from './Description.ts';
import { descriptionNames } from './descriptions.ts';
import type { DescriptionName } from './descriptions.ts';
import { endpointsOf, nameIn, paramsOf } from './endpointsOf.ts';
import type { WrittenEndpoint } from './endpointsOf.ts';
import { rowsOf } from './MockApi.ts';
import { Sampler } from './Sampler.ts';
import { SEED, worldInProcess } from './world.ts';
import type { WorldInProcess } from './world.ts';

/** No list of these has a resource that changes rows by a text: a record that is read alone is edited. */
const ALONE: readonly DescriptionName[] = ['idealpostcodes', 'gitlab', 'petstore', 'petstore2'];

/** Descriptions without an edit; RealWorld has a test in `apps`. */
const UNCHANGED: readonly DescriptionName[] = ['blockfrost', 'droplets'];
const WITHOUT: readonly DescriptionName[] = [...ALONE, ...UNCHANGED, 'realworld'];

interface Edit {
  /** A list, or the endpoint of a single record. */
  readonly list: WrittenEndpoint;
  readonly change: WrittenEndpoint;
}

/** The change of a record by its members; a patch that lists operations is none. */
const changesMembers = ({ of }: WrittenEndpoint, description: Description): boolean =>
  of?.body !== undefined && 'properties' in new Sampler(description).flat(of.body, SEED);

/** The lists of a module, each with the change of a row. */
function editsOf({ api, description, mock }: WorldInProcess): Edit[] {
  const all = endpointsOf(api, description);
  return all.flatMap((list): Edit[] => {
    const [resource = '', member] = list.name.split('.');
    const isList = member === 'getList' && list.of !== undefined && mock.listAt(list.of);
    const change = ['partialUpdate', 'update']
      .flatMap((name) => all.find((each) => each.name === `${resource}.${name}`) ?? [])
      .find((each) => changesMembers(each, description));
    return isList && change !== undefined ? [{ list, change }] : [];
  });
}

interface EditedMember {
  /** The member that holds the record in the body, if any. */
  readonly within: string | undefined;
  /** The name in the body, and in the row. */
  readonly sent: string;
  readonly shown: string;
}

/** A text member of the body that the row shows, in any spelling: `FriendlyName` is `friendly_name`. */
function editedMember(
  description: Description,
  body: unknown,
  row: object,
  within?: string,
): EditedMember | undefined {
  const { properties } = new Sampler(description).flat(body, SEED);
  const entries = Object.entries(isObject(properties) ? properties : {});
  const [only, another] = entries;
  if (only !== undefined && another === undefined && within === undefined)
    return editedMember(description, only[1], row, only[0]);
  const plain = (name: string) => name.replaceAll('_', '').toLowerCase();
  for (const [sent, schema] of entries) {
    const { type, enum: values, format, pattern } = new Sampler(description).flat(schema, SEED);
    const isText = [type].flat().includes('string') && !values && !format && !pattern;
    const shown = Object.keys(row).find((name) => plain(name) === plain(sent));
    if (!isText || shown === undefined || /id$|key|slug/i.test(sent)) continue;
    if (typeof (row as Json)[shown] === 'string') return { within, sent, shown };
  }
  return undefined;
}

/** The arguments that a list requires. */
function listArgs({ endpoint, of }: WrittenEndpoint, sampler: Sampler): Json {
  const path = paramsOf(endpoint.path as string).map((name) => [name, '1']);
  const search = (of?.query ?? [])
    .filter(({ required }) => required)
    .map(({ name, schema }) => [nameIn(endpoint, name), sampler.sample(schema, SEED)]);
  return Object.fromEntries([...path, ...search]) as Json;
}

/** The name of the edited member; undefined for a row that cannot be edited so. */
async function edit(here: WorldInProcess, { list, change }: Edit): Promise<string | undefined> {
  const { controller, description, mock } = here;
  const place = list.of && mock.listAt(list.of);
  const sampler = new Sampler(description);
  const args = listArgs(list, sampler);
  await controller.fetch(list.endpoint, args);
  const read = () => rowsOf(controller.getResponse(list.endpoint, args).data, place!);
  const row: (Json & { pk?(...call: unknown[]): unknown }) | undefined = read()[0];
  const member = row && editedMember(description, change.of?.body, row);
  if (row?.pk === undefined || member === undefined) return undefined;
  const key = String(row.pk({}, '', [args]))
    .split('/')
    .at(-1);
  const names = paramsOf(change.endpoint.path as string);
  const params = Object.fromEntries(
    names.map((each, at) => [each, at === names.length - 1 ? key : (args[each] ?? '1')]),
  );
  const sampled = sampler.sample(change.of?.body, SEED);
  const { within, sent, shown } = member;
  const given = isObject(sampled) ? sampled : {};
  const record = (within === undefined ? given : given[within]) as Json;
  const edited = { ...record, [sent]: 'Edited' };
  const body = within === undefined ? edited : { ...given, [within]: edited };
  await controller.fetch(change.endpoint, params as never, body as never);
  return read()[0]?.[shown] === 'Edited' ? shown : undefined;
}

test.each(descriptionNames.filter((name) => !WITHOUT.includes(name)))(
  '[T3] an edit of a row of %s changes the row in its list',
  async (name) => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const here = await worldInProcess(name);
    const edited: string[] = [];
    for (const each of editsOf(here)) {
      const member = await edit(here, each).catch(() => undefined);
      if (member !== undefined) edited.push(`${each.list.name}: ${member}`);
    }
    expect(edited, `seed ${SEED}`).not.toEqual([]);
  },
);

/** The record in a response: the whole response, or a member. */
const recordIn = (data: unknown): Json | undefined =>
  [data, ...Object.values(Object(data) as object)].find((each) => each instanceof Entity) as
    | Json
    | undefined;

/** The records that a module reads alone, each with the endpoint that changes the record. */
function recordsOf({ api, description }: WorldInProcess): Edit[] {
  const all = endpointsOf(api, description);
  return all.flatMap((list): Edit[] => {
    const [resource = '', member] = list.name.split('.');
    const changes = ['partialUpdate', 'update'].map((name) => `${resource}.${name}`);
    const change = all.find(({ name, of }) => changes.includes(name) && of?.body !== undefined);
    return member === 'get' && change !== undefined ? [{ list, change }] : [];
  });
}

/** The name of the edited member of a record; undefined for a record that cannot be edited so. */
async function editRecord(
  { controller, description }: WorldInProcess,
  { list, change }: Edit,
): Promise<string | undefined> {
  const sampler = new Sampler(description);
  const args = { ...listArgs(change, sampler), ...listArgs(list, sampler) };
  await controller.fetch(list.endpoint, args);
  const read = () => recordIn(controller.getResponse(list.endpoint, args).data);
  // the record keeps the members named by the path
  const named = new Set(Object.values(args).map(String));
  const isNamed = ([, value]: [string, unknown]) => named.has(String(value));
  const row = Object.entries(read() ?? {});
  const others = Object.fromEntries(row.filter((each) => !isNamed(each)));
  const member = editedMember(description, change.of?.body, others);
  if (member === undefined) return undefined;
  const sampled = sampler.sample(change.of?.body, SEED);
  const kept = Object.fromEntries(row.filter(isNamed));
  const body = { ...(isObject(sampled) ? sampled : {}), ...kept, [member.sent]: 'Edited' };
  await controller.fetch(change.endpoint, args as never, body as never);
  return read()?.[member.shown] === 'Edited' ? member.shown : undefined;
}

test.each(ALONE)(
  '[T3] an edit of a record of %s changes the record that was read',
  async (name) => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const here = await worldInProcess(name, { invents: true });
    const edited: string[] = [];
    for (const each of recordsOf(here)) {
      const member = await editRecord(here, each).catch(() => undefined);
      if (member !== undefined) edited.push(`${each.list.name}: ${member}`);
    }
    expect(edited, `seed ${SEED}`).not.toEqual([]);
  },
);

test.each(UNCHANGED)('[T3] the module of %s has no update of a record', async (name) => {
  const { api, description } = await worldInProcess(name);
  const changes = endpointsOf(api, description).filter((each) =>
    each.name.toLowerCase().endsWith('update'),
  );
  expect(changes).toEqual([]);
});
