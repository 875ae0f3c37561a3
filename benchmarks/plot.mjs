/** One plot of the engine benchmark as SVG: a line for each work, a mark for each contender on a logarithmic axis. */
import { titles } from './harness.mjs';
import { figureOf } from './report.mjs';

const LEFT = 330;
const WIDTH = 1240;
const LINE = 30;
const TOP = 128;
const COLORS = [
  '#888',
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#b8860b',
  '#7a52c7',
  '#2f4f4f',
  '#c0392b',
  '#6b8e23',
];
const SHAPES = ['circle', 'square', 'diamond', 'triangle'];

const escape = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const text = (x, y, words, more = '') => `<text x="${x}" y="${y}" ${more}>${escape(words)}</text>`;

function mark(shape, x, y, size, paint) {
  const at = (dx, dy) => `${(x + dx * size).toFixed(1)},${(y + dy * size).toFixed(1)}`;
  const points = {
    square: [at(-0.9, -0.9), at(0.9, -0.9), at(0.9, 0.9), at(-0.9, 0.9)],
    diamond: [at(0, -1.25), at(1.25, 0), at(0, 1.25), at(-1.25, 0)],
    triangle: [at(0, -1.2), at(1.15, 0.9), at(-1.15, 0.9)],
  }[shape];
  if (points === undefined) return `<circle cx="${x.toFixed(1)}" cy="${y}" r="${size}" ${paint}/>`;
  return `<polygon points="${points.join(' ')}" ${paint}/>`;
}

/** Signalbox is large and red; the peers have the other colours, with shapes so that it is not colour alone. */
function style(name, at) {
  if (name === 'signalbox')
    return { shape: 'circle', size: 7, paint: 'fill="#d7191c" stroke="#fff"' };
  const color = COLORS[at % COLORS.length];
  return {
    shape: SHAPES[at % SHAPES.length],
    size: 4.6,
    paint: `fill="${color}" fill-opacity="0.85"`,
  };
}

/** One work: the ratios of all contenders that did it. */
function ratiosOf(work, figures, names) {
  const unit = figureOf(figures.handWritten[work]).ms;
  return names.flatMap((name) => {
    const figure = figureOf(figures[name][work]);
    return figure === undefined ? [] : [{ name, ratio: Math.max(figure.ms / unit, 0.001) }];
  });
}

export function plot({ works, date }, size, { figures }) {
  const names = Object.keys(figures).filter((name) => name !== 'handWritten');
  const others = names.filter((name) => name !== 'signalbox');
  const styleOf = (name) => style(name, others.indexOf(name));
  const lines = works.map((work) => ratiosOf(work, figures, names));
  const all = lines.flat().map(({ ratio }) => Math.log10(ratio));
  const low = Math.floor(Math.min(...all));
  const high = Math.ceil(Math.max(...all));
  const x = (log) => LEFT + ((log - low) / (high - low)) * (WIDTH - LEFT - 40);
  const height = TOP + works.length * LINE + 50;
  const bottom = height - 40;
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#222">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    text(
      20,
      30,
      `N = ${Number(size).toLocaleString('en')}: time as a multiple of the hand-written program`,
      'font-size="18" font-weight="600"',
    ),
    text(
      20,
      50,
      `left is faster; logarithmic; ${date}; what took too long, or cannot be done, has no mark`,
      'fill="#666"',
    ),
  ];
  for (const [at, name] of ['signalbox', ...others]
    .filter((name) => names.includes(name))
    .entries()) {
    const [left, top] = [30 + (at % 6) * 200, 76 + Math.floor(at / 6) * 22];
    const { shape, size, paint } = styleOf(name);
    out.push(mark(shape, left, top, size, paint), text(left + 13, top + 4, titles[name]));
  }
  for (let log = low; log <= high; log++) {
    const heavy = log === 0 ? 'stroke="#222" stroke-width="1.5"' : 'stroke="#ddd"';
    out.push(`<line x1="${x(log)}" y1="${TOP}" x2="${x(log)}" y2="${bottom}" ${heavy}/>`);
    const label = log === 0 ? 'hand-written' : `${(10 ** log).toLocaleString('en')}×`;
    out.push(text(x(log), bottom + 20, label, 'text-anchor="middle" fill="#666"'));
  }
  for (const [at, work] of works.entries()) {
    const y = TOP + at * LINE + LINE / 2;
    if (at % 2 === 0)
      out.push(
        `<rect x="10" y="${y - LINE / 2}" width="${WIDTH - 20}" height="${LINE}" fill="#000" opacity="0.03"/>`,
      );
    out.push(text(20, y + 4, work));
    // signalbox last, so that it lies above the others
    for (const { name, ratio } of lines[at].sort(
      (a, b) => Number(a.name === 'signalbox') - Number(b.name === 'signalbox'),
    )) {
      const { shape, size, paint } = styleOf(name);
      out.push(
        mark(
          shape,
          x(Math.log10(ratio)),
          y,
          size,
          `${paint}><title>${escape(titles[name])} ${ratio.toPrecision(2)}×</title></${shape === 'circle' ? 'circle' : 'polygon'}`,
        ).replace('/>', '>'),
      );
    }
  }
  return [...out, '</svg>', ''].join('\n');
}
