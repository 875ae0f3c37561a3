/** The tables of the benchmarks, in markdown; and their places in docs/performance.md. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, root, titles } from './harness.mjs';

/** The median of the samples, each of them the median of its rounds; and how often views ran. */
export function figureOf(samples) {
  if (samples === undefined) return undefined;
  return {
    ms: median(samples.map((times) => median(times.map(({ ms }) => ms)))),
    runs: samples[0][0].runs,
  };
}

const short = (number) => {
  if (number >= 100) return Math.round(number).toLocaleString('en');
  return number.toFixed(number >= 10 ? 0 : number >= 0.095 ? 1 : 2);
};
const duration = (ms) => (ms >= 1 ? `${short(ms)} ms` : `${short(ms * 1000)} µs`);
const wakeUps = ({ runs }) =>
  runs === undefined ? '' : ` · ${Number(runs.toFixed(1)).toLocaleString('en')}`;

const row = (cells) => `| ${cells.join(' | ')} |`;
function table(head, rows) {
  return [row(head), row(head.map((_, at) => (at === 0 ? '---' : '--:'))), ...rows.map(row)].join(
    '\n',
  );
}

/** `> n` where a work took longer than the limit: half of that, because it may have been spent on two calls. */
function missing(state, { work, limit, unit }) {
  if (state === 'over') {
    const writes = work.startsWith('optimistic') ? 1000 : 1;
    return `> ${short(limit / 2 / writes / unit)}`;
  }
  return { failed: 'failed', unreached: '…' }[state] ?? '–';
}

/** The fastest library of each work in bold; the floor is none. */
function engineTable({ works }, { figures, out, made }) {
  const names = Object.keys(figures).filter((name) => name !== 'handWritten');
  const rows = works.map((work) => {
    const unit = figureOf(figures.handWritten[work]);
    const times = names.map((name) => figureOf(figures[name][work]));
    const libraries = times.filter((figure, at) => figure && names[at] !== 'jsonParse');
    const least = Math.min(...libraries.map(({ ms }) => ms));
    const cells = names.map((name, at) => {
      const figure = times[at];
      if (figure === undefined)
        return missing(out[name][work], { work, limit: made[name].limit, unit: unit.ms });
      const ratio = short(figure.ms / unit.ms);
      return (figure.ms === least ? `**${ratio}**` : ratio) + wakeUps(figure);
    });
    return [work, duration(unit.ms) + wakeUps(unit), ...cells];
  });
  return table(['work', 'hand-written', ...names.map((name) => titles[name])], rows);
}

/** How the time of one call grows from size to size, of signalbox. */
function growthTable({ works, engine }) {
  const sizes = Object.keys(engine);
  const rows = works.map((work) => [
    work,
    ...sizes.map((size) => {
      const figure = figureOf(engine[size].figures.signalbox?.[work]);
      return figure === undefined ? '–' : duration(figure.ms);
    }),
  ]);
  return table(['work', ...sizes.map((size) => `N = ${Number(size).toLocaleString('en')}`)], rows);
}

function memoryTable({ figures }) {
  const names = Object.keys(figures).filter((name) => name !== 'handWritten');
  const bytesOf = (name, work) => figures[name].find((line) => line.work === work)?.bytes;
  const rows = figures.handWritten.map(({ work, bytes }) => [
    work,
    `${Math.round(bytes)} B`,
    ...names.map((name) => {
      const own = bytesOf(name, work);
      return own === undefined ? '–' : short(own / bytes);
    }),
  ]);
  return table(['heap', 'hand-written', ...names.map((name) => titles[name])], rows);
}

function streamTable({ figures, limit }) {
  const rows = Object.entries(figures).map(([name, [line]]) => {
    const of = line.over ? undefined : line;
    if (of === undefined)
      return [titles[name], `not ready within ${limit / 1000} s`, '', '', '', '', ''];
    const times = [of.p50, of.p99, of.max].map(duration);
    const late = of.late.toLocaleString('en');
    return [
      titles[name],
      of.perSecond.toLocaleString('en'),
      late,
      ...times,
      `${of.runs} / ${of.touched}`,
    ];
  });
  const head = [
    '',
    'updates a second',
    'late at the end',
    'p50',
    'p99',
    'longest',
    'wake-ups / watched rows touched',
  ];
  return table(head, rows);
}

/** What a page does first. A figure is the fastest of the samples: on a shared machine most are disturbed. */
function coldTable({ figures }) {
  const names = Object.keys(figures);
  const times = (key, pick) => (name) => {
    const samples = figures[name][key] ?? [];
    return samples.length === 0 ? undefined : Math.min(...samples.map(pick));
  };
  const starts = [1, 100, 1000, 10_000].map((count) => [
    `create, ingest and read ${count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`}`,
    times(`start ${count}`, ({ ms }) => ms),
  ]);
  const turns = { first: 0, second: 1, tenth: 9 };
  const writes = Object.entries({
    write: 'change of a row',
    optimistic: 'optimistic change',
  }).flatMap(([play, title]) => [
    ...Object.entries(turns).map(([turn, at]) => [
      `the ${turn} ${title}`,
      times(`${play} 100`, ({ ms }) => ms[at]),
    ]),
    [
      `${title}, caches taken by other work`,
      times(`${play}AtRest 100`, ({ ms }) => median(ms.slice(20))),
    ],
  ]);
  const rows = [...starts, ...writes].map(([title, time]) => {
    const all = names.map(time);
    const least = Math.min(
      ...all.filter(
        (ms, at) => ms !== undefined && !['handWritten', 'jsonParse'].includes(names[at]),
      ),
    );
    const cells = all.map((ms) =>
      ms === undefined ? '–' : ms === least ? `**${duration(ms)}**` : duration(ms),
    );
    return [title, ...cells];
  });
  const counts = [1, 100].map((count) => [
    `functions executed, ${count === 1 ? '1 row' : `${count} rows`}`,
    ...names.map((name) => figures[name][`functions ${count}`]?.[0].functions ?? '–'),
  ]);
  return table(
    ['first in a fresh process', ...names.map((name) => titles[name])],
    [...rows, ...counts],
  );
}

/** How the figures of one size were made: one command, or several for some contenders each. */
function commandsOf({ made }) {
  const commands = new Set(Object.values(made).map(({ command }) => `\`${command}\``));
  return [...commands].join(' and ');
}

/** Title → the table with a line above it that says what it is. */
export function tables(all) {
  const { engine = {}, cold, memory, stream } = all;
  const made = {};
  for (const [size, part] of Object.entries(engine)) {
    const many = Number(size).toLocaleString('en');
    made[`engine ${size}`] =
      `N = ${many}, ${commandsOf(part)}: times of the hand-written program, the others as multiples of it; after the dot how many views ran for one call.\n\n${engineTable(all, part)}`;
  }
  if (Object.keys(engine).length > 0)
    made['engine growth'] = `Time of one call of signalbox.\n\n${growthTable(all)}`;
  if (cold)
    made['cold'] =
      `${commandsOf(cold)}: wall-clock times in a fresh process, the fastest of the samples. Changes are of 100 rows, each with a view. Functions: those executed from the import on.\n\n${coldTable(cold)}`;
  if (memory)
    made['memory'] =
      `N = ${memory.count.toLocaleString('en')}, ${commandsOf(memory)}: bytes of the hand-written program, the others as multiples of them.\n\n${memoryTable(memory)}`;
  if (stream)
    made['stream'] =
      `${stream.count.toLocaleString('en')} rows, 1 % of them watched, ${commandsOf(stream)}.\n\n${streamTable(stream)}`;
  return made;
}

/** Rewrites what stands between `<!-- bench: title -->` and `<!-- /bench -->`, and the plot. */
export function writeDocs(all, plot) {
  const path = join(root, 'docs/performance.md');
  const made = { ...tables(all), machine: machine(all) };
  const text = readFileSync(path, 'utf8').replace(
    /(<!-- bench: (.*?) -->\n)[^]*?(<!-- \/bench -->)/g,
    (whole, open, title, close) => (made[title] ? `${open}\n${made[title]}\n\n${close}` : whole),
  );
  writeFileSync(path, text);
  const [size] = Object.keys(all.engine);
  if (size !== undefined)
    writeFileSync(join(root, 'docs/performance.svg'), plot(all, size, all.engine[size]));
  execFileSync('npx', ['oxfmt', path], { cwd: root });
}

function machine({ node, cpu, date, versions }) {
  const peers = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `Measured ${date}, Node ${node.slice(1)}, ${cpu}, shared with other work. Peers: ${peers.join(', ')}.`;
}
