// Rules of DESIGN.md §2 about functions: their length, nesting and parameters.
import type { Rule } from './Rule.ts';
import type { FunctionFacts } from './sources.ts';

type Measure = 'lines' | 'depth' | 'parameters';

const longSample = `function long() {\n${'f();\n'.repeat(60)}}\n`;

function atMost(limit: number, measure: Measure, what: string): Rule['find'] {
  return (sources) =>
    sources.flatMap(({ path, functions }) =>
      functions
        .filter((each) => each[measure] > limit)
        .map((each) => `${path} ${each.name}: ${each[measure]} ${what}`),
    );
}

const SHORT = 30;
const SHARE = 0.9;

/** The share of functions under 30 lines. */
export const shareOfShort = (functions: readonly FunctionFacts[]): number =>
  functions.filter(({ lines }) => lines < SHORT).length / functions.length;

export const functionRules: readonly Rule[] = [
  {
    title: 'no function has more than 60 lines',
    find: atMost(60, 'lines', 'lines'),
    sample: { 'src/store/a.ts': longSample, 'src/store/b.ts': `function short() {\n\n}` },
    finds: ['src/store/a.ts long: 62 lines'],
  },
  {
    title: 'nine of ten functions have less than 30 lines',
    find: (sources) => {
      const share = shareOfShort(sources.flatMap(({ functions }) => functions));
      return share >= SHARE ? [] : [`${(100 * share).toFixed(1)} % of the functions`];
    },
    sample: { 'src/store/a.ts': longSample + 'function short() {}\n'.repeat(8) },
    finds: ['88.9 % of the functions'],
  },
  {
    title: 'control blocks are nested three deep at most',
    find: atMost(3, 'depth', 'nested blocks'),
    sample: {
      'src/store/a.ts': `const deep = () => { if (a) for (;;) while (b) try {} catch {} };
        const ladder = () => { if (a) f(); else if (b) f(); else if (c) f(); else if (d) f(); };`,
    },
    finds: ['src/store/a.ts deep: 4 nested blocks'],
  },
  {
    title: 'a function has four parameters at most',
    find: atMost(4, 'parameters', 'parameters'),
    sample: { 'src/store/a.ts': `class Wide { m(this: Wide, a, b, c, d, e) {} n(a, b, c, d) {} }` },
    finds: ['src/store/a.ts m: 5 parameters'],
  },
];
