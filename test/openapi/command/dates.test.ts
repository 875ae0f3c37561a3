/** Dates behind references, a custom date type, and enums as objects. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { complaints } from './compiled.ts';
import { documentAt, folder, load, run } from './command.ts';
import type * as dates from './generated/dates.ts';

const time = '2026-01-01T00:00:00.000Z';
const visit = {
  id: 1,
  begin: time,
  end: time,
  marks: [time],
  times: [time],
  checked: time,
  state: 'done',
};

test('[T3] a referenced date-time is a Date, also in a list, within allOf and beside null', async () => {
  const server = await serve({ body: [visit] });
  const { VisitResource } = (await load('dates.yaml', server.address)) as typeof dates;
  const [first] = await new Controller().fetch(VisitResource.getList, { since: new Date(0) });
  const date = new Date(time);
  expect(first).toMatchObject({ begin: date, end: date, marks: [date], times: [date] });
  expect(first?.checked).toEqual(date);
  expect(server.last.url).toBe('/visits?since=1970-01-01T00%3A00%3A00.000Z');
  expectTypeOf(first?.marks).toEqualTypeOf<Date[] | undefined>();
  expectTypeOf(first?.end).toEqualTypeOf<Date | undefined>();
});

test('[T3] a date member has the described default', async () => {
  const server = await serve({ body: [visit] });
  const { VisitResource } = (await load('dates.yaml', server.address)) as typeof dates;
  const [first] = await new Controller().fetch(VisitResource.getList);
  expect(first?.renewed).toEqual(new Date('2020-01-01T00:00:00Z'));
});

test('[T3] a nullable member has the described default if absent, and null if received', async () => {
  const server = await serve({ body: [visit, { ...visit, id: 2, paused: null, rank: null }] });
  const { VisitResource } = (await load('dates.yaml', server.address)) as typeof dates;
  const [first, second] = await new Controller().fetch(VisitResource.getList);
  const paused = new Date('2021-01-01T00:00:00Z');
  expect(first).toMatchObject({ paused, resumed: null, rank: 3, mood: 'done' });
  expect(second).toMatchObject({ paused: null, rank: null });
  expectTypeOf(first?.paused).toEqualTypeOf<Date | null | undefined>();
});

test('[T3] a member has the described default if it is a list or an object, unless the value has another type', async () => {
  const texts = { type: 'array', items: { type: 'string' } };
  const at = { type: 'string', format: 'date-time' };
  const size = { type: 'object', required: ['w'], properties: { w: { type: 'integer' } } };
  const properties = {
    id: { type: 'integer' },
    tags: { ...texts, default: ['new', "it's"] },
    grid: {
      type: 'array',
      items: { type: 'array', items: { type: 'number' } },
      default: [[1], []],
    },
    size: { ...size, default: { w: 3 } },
    free: { type: 'object', additionalProperties: { type: 'integer' }, default: { 'a-b': 1 } },
    wrong: { ...texts, default: [1] },
    partial: { ...size, default: {} },
    dates: { type: 'array', items: at, default: ['2020-01-01T00:00:00Z'] },
  };
  const content = {
    'application/json': { schema: { title: 'Plan', type: 'object', required: ['id'], properties } },
  };
  const paths = { '/plans/{id}': { get: { responses: { 200: { content } } } } };
  const document = JSON.stringify({ openapi: '3.1.0', info: {}, paths });
  const { out } = await run(['openapi', '-'], document);
  for (const line of [
    `tags: string[] = ['new', "it's"];`,
    'grid: number[][] = [[1], []];',
    'size: { w: number } = { w: 3 };',
    "free: { [key: string]: number } = { 'a-b': 1 };",
    'wrong: string[] = [];',
    'partial?: { w: number };',
    'dates: Date[] = [];',
  ])
    expect(out).toContain(`  ${line}\n`);
  expect(await complaints({ 'api.ts': out })).toBe('');
});

const INSTANT = `export class Instant {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  get year(): number {
    return Number(this.#text.slice(0, 4));
  }
  toJSON(): string {
    return this.#text;
  }
}
export const toInstant = (text: string): Instant => new Instant(text);
`;

test('[T3] --dates module#function gives dates the type that the function returns', async () => {
  const place = await folder();
  const out = join(place, 'api.ts');
  await writeFile(join(place, 'Instant.ts'), INSTANT);
  const server = await serve({ body: [visit] });
  const options = ['--prefix', server.address, '--dates', './Instant.ts#toInstant'];
  await run(['openapi', documentAt('dates.yaml'), '--out', out, ...options]);
  const { VisitResource } = (await import(/* @vite-ignore */ out)) as typeof dates;
  const controller = new Controller();
  const [first] = await controller.fetch(VisitResource.getList);
  expect(first).toMatchObject({
    begin: { year: 2026 },
    marks: [{ year: 2026 }],
    renewed: { year: 2020 },
  });
  await controller.fetch(VisitResource.create, { ...visit, begin: first!.begin } as never);
  expect(JSON.parse(server.last.text)).toMatchObject({ begin: time });
  const { out: api } = await run(['openapi', documentAt('dates.yaml'), ...options]);
  const use = `import { Visit, VisitResource } from './api.ts';
import { toInstant } from './Instant.ts';
export const year: number = new Visit().begin.year;
export const years = (visit: Visit): (number | undefined)[] => [visit.end?.year, ...visit.marks.map((mark) => mark.year)];
export const send = () => VisitResource.create({ begin: toInstant('x'), marks: ['x'], times: [], renewed: toInstant('y'), state: 'done' });
`;
  expect(await complaints({ 'api.ts': api, 'Instant.ts': INSTANT, 'use.ts': use })).toBe('');
});

test('[T3] --enums object writes each named enum as an object, with the names of x-enum-varnames', async () => {
  const place = await folder();
  const out = join(place, 'api.ts');
  await run(['openapi', documentAt('dates.yaml'), '--out', out, '--enums', 'object']);
  const api = (await import(/* @vite-ignore */ out)) as Record<string, unknown>;
  expect(api['State']).toEqual({ planned: 'planned', inProgress: 'in-progress', done: 'done' });
  expect(api['Level']).toEqual({ Low: 1, High: 2 });
  const { out: text } = await run(['openapi', documentAt('dates.yaml'), '--enums', 'object']);
  const use = `import { Level, State, Visit } from './api.ts';
export const state: State = State.inProgress;
export const level: Level | undefined = new Visit().level;
export const high: 2 = Level.High;
`;
  expect(await complaints({ 'api.ts': text, 'use.ts': use })).toBe('');
  expect(await run(['openapi', documentAt('dates.yaml'), '--enums', 'classes'])).toMatchObject({
    code: 2,
    said: [expect.stringMatching(/--enums must be 'union' or 'object', not 'classes'/)],
  });
});

test('[T3] a value of an enum that is a valid name is its own key in the object, in any order of the values', async () => {
  const Grade = { type: 'string', enum: ['A+', 'a', 'A-', 'a2'] };
  const schema = { $ref: '#/components/schemas/Grade' };
  const get = { responses: { 200: { content: { 'application/json': { schema } } } } };
  const components = { schemas: { Grade } };
  const document = { openapi: '3.1.0', info: {}, paths: { '/grade': { get } }, components };
  const out = join(await folder(), 'api.ts');
  await run(['openapi', '-', '--enums', 'object', '--out', out], JSON.stringify(document));
  const api = (await import(/* @vite-ignore */ out)) as Record<string, unknown>;
  expect(api['Grade']).toEqual({ a3: 'A+', a: 'a', a4: 'A-', a2: 'a2' });
});
