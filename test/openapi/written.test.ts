/** The modules written from published descriptions: complete, clean under `tsc --strict`, and counted in the documentation. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { oneChecker } from '../setup/oneChecker.ts';
import { descriptionNames, descriptions, reports } from './descriptions.ts';
import type { DescriptionName } from './descriptions.ts';
import { endpointsOf, isResource } from './endpointsOf.ts';
import { MockApi } from './MockApi.ts';
import { describe, load } from './world.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = `${root}docs/openapi.md`;

/** The operations of a description that the module lacks. */
async function absent(name: DescriptionName): Promise<string[]> {
  const description = await describe(name);
  const found = endpointsOf(await load(name), description);
  const written = new Set(found.flatMap(({ of }) => of ?? []));
  return description.operations
    .filter((of) => !written.has(of))
    .map(({ method, path }) => `${method} ${path}`);
}

test.each(descriptionNames)(
  '[T3] each operation of %s has an endpoint or is named in the report',
  async (name) => {
    const { code, notes } = reports()[name];
    expect({ code, notes }).toMatchObject({ code: 0 });
    const missing = await absent(name);
    expect(missing.filter((each) => !notes.some((note) => note.includes(each)))).toEqual([]);
  },
);

test.each(descriptionNames)(
  '[T3] each endpoint of %s belongs to a described operation',
  async (name) => {
    const found = endpointsOf(await load(name), await describe(name));
    expect(found.filter(({ of }) => of === undefined).map(({ name: called }) => called)).toEqual(
      [],
    );
  },
);

test('[T3] the written modules compile without errors under the strict options of the repository', async () => {
  const tsc = `${root}node_modules/typescript/bin/tsc`;
  const project = `${root}test/openapi/tsconfig.written.json`;
  const complaints = await new Promise<string>((done) => {
    const args = [tsc, '-p', project, '--noEmit', ...oneChecker];
    execFile(process.execPath, args, (_, stdout) => done(stdout));
  });
  expect(complaints).toBe('');
});

/** A line of the table in the documentation. */
async function line(name: DescriptionName): Promise<string> {
  const api = await load(name);
  const description = await describe(name);
  const mock = new MockApi(description, { seed: '' });
  const exported: unknown[] = Object.values(api);
  const entities = exported.filter(
    (each) => typeof each === 'function' && each.prototype instanceof Entity,
  );
  const endpoints = endpointsOf(api, description);
  const described = description.operations.length;
  const source: { readonly from?: string } = descriptions[name];
  const cells = [
    descriptions[name].title,
    source.from ?? 'written for the tests',
    described,
    described - (await absent(name)).length,
    entities.length,
    exported.filter(isResource).length,
    endpoints.filter(({ name: called }) => !called.includes('.')).length,
    endpoints.filter(({ of }) => of !== undefined && mock.listAt(of) !== undefined).length,
    reports()[name].notes.filter((note) => note.startsWith('dropped: ')).length,
  ];
  return `| ${cells.join(' | ')} |`;
}

const HEAD = [
  '| description | from | operations | written | entities | resources | plain endpoints | lists | dropped |',
  '| --- | --- | --: | --: | --: | --: | --: | --: | --: |',
];
const MARKS = /(<!-- table: npm run openapi -->\n\n)[^]*?(\n\n<!-- end of the table -->)/;

/** Cells without the spaces that the formatter aligns columns with. */
const tight = (text: string | undefined): string =>
  (text ?? '').replace(/ *\| */g, '|').replace(/-+/g, '-');

test('[T3] docs/openapi.md has the current counts of each description', async () => {
  const lines: string[] = [];
  for (const name of descriptionNames) lines.push(await line(name));
  const table = [...HEAD, ...lines].join('\n');
  const text = readFileSync(page, 'utf8');
  if (process.env['OPENAPI_TABLE'] === 'write') {
    writeFileSync(
      page,
      text.replace(MARKS, (_, start, end) => `${start}${table}${end}`),
    );
  }
  const shown = MARKS.exec(readFileSync(page, 'utf8'))?.[0];
  expect(tight(shown), 'npm run openapi writes the table anew').toContain(tight(table));
});
