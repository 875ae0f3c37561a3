/** Two list addresses never share rows: each list of each written module, called with equal arguments. */
import { linkPages, withStatus } from 'signalbox';
import type { StatusAndBody } from 'signalbox';
import { expect, test, vi } from 'vitest';
import type { Json } from './Description.ts';
import { PREFIX, descriptionNames } from './descriptions.ts';
import { endpointsOf, nameIn, paramsOf } from './endpointsOf.ts';
import type { WrittenEndpoint } from './endpointsOf.ts';
import { rowsOf } from './MockApi.ts';
import type { Place } from './MockRoutes.ts';
import { Sampler } from './Sampler.ts';
import { SEED, worldInProcess } from './world.ts';
import type { WorldInProcess } from './world.ts';

interface List extends WrittenEndpoint {
  readonly place: Place;
  readonly args: Json;
}

/** True where a row that is read has the texts and numbers that the server sent; dates are decoded, and left out. */
const isSame = (read: Json | undefined, sent: Json): boolean =>
  read !== undefined &&
  Object.entries(sent).every(([name, value]) => {
    const isPlain = typeof value === 'string' || typeof value === 'number';
    return !isPlain || read[name] instanceof Date || read[name] === value;
  });

/** The body of a response, also if the endpoint reads the status or the link to the next page, too. */
function bodyOf(endpoint: WrittenEndpoint['endpoint'], data: unknown): unknown {
  const parseResponse: unknown = Reflect.get(endpoint, 'parseResponse');
  if (parseResponse === withStatus) return (data as StatusAndBody).body;
  return parseResponse === Reflect.get(linkPages, 'parseResponse')
    ? (data as { rows: unknown }).rows
    : data;
}

/** The lists, each with the same value for every parameter of the path. */
function listsOf({ api, description, mock }: WorldInProcess): List[] {
  const sampler = new Sampler(description);
  return endpointsOf(api, description).flatMap((written): List[] => {
    const place = written.of && mock.listAt(written.of);
    if (written.of === undefined || place === undefined) return [];
    const path = paramsOf(written.endpoint.path as string).map((name) => [name, '1']);
    const search = written.of.query
      .filter(({ required }) => required)
      .map(({ name, schema }) => [
        nameIn(written.endpoint, name),
        String(sampler.sample(schema, SEED)),
      ]);
    return [{ ...written, place, args: Object.fromEntries([...path, ...search]) as Json }];
  });
}

test.each(descriptionNames)(
  '[N14] each list of %s has the rows that the server sent for that list, when all are called with the same arguments',
  async (name) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const here = await worldInProcess(name);
    const { controller, mock } = here;
    const lists = listsOf(here);
    const addressOf = (url: string) => {
      const prefix = [PREFIX, ...here.description.servers].find((each) => url.startsWith(each));
      return url.slice(prefix?.length);
    };
    const failed = new Map<string, string>();
    for (const { name: called, endpoint, args } of lists) {
      await controller
        .fetch(endpoint, args)
        .catch((error: unknown) => failed.set(called, `${called}: ${String(error)}`));
    }
    const answered = lists.filter(({ name: called }) => !failed.has(called));
    const wrong = answered.flatMap(({ name: called, endpoint, args, place }) => {
      const sent = mock.shown.get(addressOf(endpoint.url(args))) ?? [];
      const { data } = controller.getResponse(endpoint, args);
      const read = rowsOf(bodyOf(endpoint, data), place);
      const isRight = read.length === sent.length && sent.every((row, at) => isSame(read[at], row));
      const said = `${called} shows ${read.length} rows, other than the ${sent.length} sent`;
      return isRight ? [] : [said];
    });
    expect([...failed.values(), ...wrong], `seed ${SEED}`).toEqual([]);
    expect(mock.faults, `seed ${SEED}`).toEqual([]);
    expect(
      warn.mock.calls.map(([said]) => String(said)),
      `seed ${SEED}`,
    ).toEqual([]);
  },
);
