/** One plot of the engine benchmark as SVG: a line for each work, a mark for each contender on a logarithmic axis. */
import { titles } from './harness.mjs';
import { figureOf } from './report.mjs';

const WIDTH = 1240;
/** Where the axis begins and ends, and where the first work stands. */
const LEFT = 350;
const RIGHT = WIDTH - 40;
const TOP = 122;
const LINE = 30;
const COLORS = [
  '#999',
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#8c6d1f',
  '#7a52c7',
  '#2f4f4f',
  '#b5651d',
  '#6b8e23',
];
const SHAPES = ['circle', 'square', 'diamond', 'triangle'];
const CORNERS = {
  circle: Array.from({ length: 16 }, (_, at) => [
    Math.cos((at * Math.PI) / 8),
    Math.sin((at * Math.PI) / 8),
  ]),
  square: [
    [-0.9, -0.9],
    [0.9, -0.9],
    [0.9, 0.9],
    [-0.9, 0.9],
  ],
  diamond: [
    [0, -1.3],
    [1.3, 0],
    [0, 1.3],
    [-1.3, 0],
  ],
  triangle: [
    [0, -1.2],
    [1.15, 0.9],
    [-1.15, 0.9],
  ],
};

const number = (value) => Number(value.toFixed(1));
const escape = (words) => words.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const text = (x, y, words, more = '') =>
  `<text x="${number(x)}" y="${y}" ${more}>${escape(words)}</text>`;
const line = (x, more) => (bottom) =>
  `<line x1="${number(x)}" y1="${TOP}" x2="${number(x)}" y2="${bottom}" ${more}/>`;

function mark(x, y, { shape, size, color }, hint = '') {
  const points = CORNERS[shape].map(
    ([dx, dy]) => `${number(x + dx * size)},${number(y + dy * size)}`,
  );
  return `<polygon points="${points.join(' ')}" fill="${color}">${hint && `<title>${escape(hint)}</title>`}</polygon>`;
}

/** Signalbox is large and red; the peers differ by shape, too, so that it is not colour alone. */
function styleOf(name, at) {
  if (name === 'signalbox') return { shape: 'circle', size: 7.5, color: '#d7191c' };
  return { shape: SHAPES[at % SHAPES.length], size: 5, color: COLORS[at % COLORS.length] };
}

/** Name and ratio of all contenders that did a work; signalbox last, so that it lies above the others. */
function ratiosOf(work, figures) {
  const unit = figureOf(figures.handWritten[work]).ms;
  return Object.keys(figures)
    .filter((name) => name !== 'handWritten' && figures[name][work])
    .map((name) => ({ name, ratio: Math.max(figureOf(figures[name][work]).ms / unit, 0.001) }))
    .sort((a, b) => Number(a.name === 'signalbox') - Number(b.name === 'signalbox'));
}

function heading({ date }, size) {
  const title = `N = ${Number(size).toLocaleString('en')}: time as a multiple of the hand-written program`;
  const note = `left is faster; logarithmic; ${date}; what took too long, or cannot be done, has no mark`;
  return [
    text(20, 30, title, 'font-size="18" font-weight="600"'),
    text(20, 50, note, 'fill="#666"'),
  ];
}

function legend(styles) {
  return Object.entries(styles).flatMap(([name, style], at) => {
    const [x, y] = [30 + (at % 6) * 200, 76 + Math.floor(at / 6) * 22];
    return [mark(x, y, style), text(x + 14, y + 4, titles[name])];
  });
}

function axis({ low, high, x, bottom }) {
  return Array.from({ length: high - low + 1 }, (_, at) => low + at).flatMap((log) => [
    line(x(log), log === 0 ? 'stroke="#222" stroke-width="1.5"' : 'stroke="#ddd"')(bottom),
    text(
      x(log),
      bottom + 20,
      log === 0 ? 'hand-written' : `${(10 ** log).toLocaleString('en')}×`,
      'text-anchor="middle" fill="#666"',
    ),
  ]);
}

export function plot(all, size, { figures }) {
  const { works } = all;
  const others = Object.keys(figures).filter(
    (name) => name !== 'handWritten' && name !== 'signalbox',
  );
  const styles = Object.fromEntries(
    ['signalbox', ...others].map((name, at) => [name, styleOf(name, at - 1)]),
  );
  const rows = works.map((work) => ratiosOf(work, figures));
  const logs = rows.flat().map(({ ratio }) => Math.log10(ratio));
  const [low, high] = [Math.floor(Math.min(...logs, 0)), Math.ceil(Math.max(...logs, 1))];
  const x = (log) => LEFT + ((log - low) / (high - low)) * (RIGHT - LEFT);
  const bottom = TOP + works.length * LINE;
  const marks = rows.flatMap((row, at) => {
    const y = TOP + at * LINE + LINE / 2;
    const band = `<rect x="10" y="${y - LINE / 2}" width="${WIDTH - 20}" height="${LINE}" fill="#000" opacity="${at % 2 === 0 ? 0.035 : 0}"/>`;
    const dots = row.map(({ name, ratio }) =>
      mark(x(Math.log10(ratio)), y, styles[name], `${titles[name]} ${ratio.toPrecision(2)}×`),
    );
    return [band, text(20, y + 4, works[at]), ...dots];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 40}" font-family="system-ui, sans-serif" font-size="13" fill="#222">
<style>polygon{fill-opacity:0.9;stroke:#fff;stroke-width:0.7}</style>`,
    `<rect width="${WIDTH}" height="${bottom + 40}" fill="#fff"/>`,
    ...heading(all, size),
    ...legend(styles),
    ...axis({ low, high, x, bottom }),
    ...marks,
    '</svg>',
    '',
  ].join('\n');
}
