// What an application of fifty resources costs the type checker; fails when it grows past its budget.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RESOURCES = 50;
const GROWTH = 1.25;
const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'benchmarks/types.budget.json');
const folder = mkdtempSync(join(tmpdir(), 'signalbox-types-'));

try {
  const library = measure('library', { 'index.mts': `export * from 'signalbox';\n` });
  const app = measure('app', application(RESOURCES));
  const added = subtract(app, library);
  print({ library, [`with ${RESOURCES} resources`]: app, 'the resources alone': added });
  compare(added.Instantiations);
} finally {
  rmSync(folder, { recursive: true });
}

/** One file per resource with entities in each other, and one that calls them all through a controller. */
function application(count) {
  const numbers = Array.from({ length: count }, (_, at) => at);
  const files = Object.fromEntries(numbers.map((n) => [`resource${n}.mts`, resource(n)]));
  const imports = numbers.map((n) => `import { Resource${n} } from './resource${n}.mts';`);
  const calls = numbers.map(call).join('');
  files['calls.mts'] =
    `import { Controller } from 'signalbox';\n${imports.join('\n')}\n` +
    `const controller = new Controller();\nexport async function calls(): Promise<void> {\n${calls}}\n`;
  return files;
}

function resource(n) {
  const above = n % 10 === 0 ? undefined : n - 1;
  return `import { Entity, createResource } from 'signalbox';
${above === undefined ? '' : `import { Entity${above} } from './resource${above}.mts';`}
export class Part${n} extends Entity {
  id = 0;
  label = '';
}
export class Entity${n} extends Entity {
  id = 0;
  title = '';
  createdAt = new Date(0);
  part = Part${n}.fromJS();
  parts: Part${n}[] = [];
  ${above === undefined ? '' : `above = Entity${above}.fromJS();`}
  static override schema = {
    createdAt: Date,
    part: Part${n},
    parts: [Part${n}],
    ${above === undefined ? '' : `above: Entity${above},`}
  };
}
export const Resource${n} = createResource({
  path: '/group${n}/:group/things/:id',
  schema: Entity${n},
  searchParams: {} as { page?: number; author?: string },
  body: {} as { title: string; partId: number },
}).extend('promote', {
  path: '/group${n}/:group/things/:id/promote',
  method: 'POST',
  body: undefined,
});
`;
}

/** Each member is called, and something of its result is used. */
function call(n) {
  const one = `{ group: 1, id: ${n} }`;
  const above = n % 10 === 0 ? 'part' : 'above.part';
  return `  {
    const one = await controller.fetch(Resource${n}.get, ${one});
    const list = await controller.fetch(Resource${n}.getList, { group: 1, page: 2 });
    const made = await controller.fetch(Resource${n}.create, { group: 1 }, { title: '', partId: 1 });
    await controller.fetch(Resource${n}.getList.push, { group: 1 }, { title: '', partId: 1 });
    await controller.fetch(Resource${n}.update, ${one}, { title: '', partId: 1 });
    await controller.fetch(Resource${n}.partialUpdate, ${one}, { title: '' });
    await controller.fetch(Resource${n}.delete, ${one});
    await controller.fetch(Resource${n}.promote, ${one});
    const label: string = one.${above}.label;
    const titles: string[] = list.map(({ title }) => title);
    const time: number = made.createdAt.getTime();
    void [label, titles, time];
  }
`;
}

function measure(name, files) {
  const at = join(folder, name);
  mkdirSync(at);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(at, path), text);
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { types: [], paths: { signalbox: [join(root, 'src/index.ts')] } },
    include: ['*.mts'],
  };
  writeFileSync(join(at, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  // one thread: several checkers would count what they share several times
  const options = ['-p', at, '--noEmit', '--extendedDiagnostics', '--singleThreaded'];
  return figures(run([tsc, ...options]));
}

function run(args) {
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`The program does not compile:\n${stdout.slice(0, 2000)}`);
}

function figures(text) {
  const of = (name) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(text)?.[1]);
  return {
    Instantiations: of('Instantiations'),
    Types: of('Types'),
    'Check time, s': of('Check time'),
  };
}

function subtract(all, some) {
  return Object.fromEntries(Object.entries(all).map(([name, n]) => [name, round(n - some[name])]));
}

function round(n) {
  return Math.round(n * 1000) / 1000;
}

function print(rows) {
  const names = Object.keys(Object.values(rows)[0]);
  const line = (first, cells) =>
    first.padEnd(22) + cells.map((cell) => String(cell).padStart(16)).join('');
  console.log(line('', names));
  for (const [row, cells] of Object.entries(rows)) console.log(line(row, Object.values(cells)));
}

/** Times depend on the machine, counts do not: only they have a budget. `BENCH_BUDGET=1` sets it anew. */
function compare(instantiations) {
  if (process.env.BENCH_BUDGET === '1') {
    writeFileSync(file, `${JSON.stringify({ instantiations }, null, 2)}\n`);
  }
  const budget = JSON.parse(readFileSync(file, 'utf8')).instantiations;
  const share = instantiations / budget;
  console.log(`\nInstantiations: ${Math.round(share * 100)} % of the budget of ${budget}`);
  if (share <= GROWTH && instantiations > 0) return;
  console.error(`That is more than ${GROWTH * 100} %, or nothing was measured.`);
  process.exitCode = 1;
}
