// The work of streamed HTML by depth of the tree: steps are counted, so the test does not depend on the machine.
import { Controller } from 'signalbox';
import { withServerData } from 'signalbox/ssr';
import { expect, test, vi } from 'vitest';
import { blocksRun } from '../setup/blocksRun.ts';

const NATIVE = ['map', 'slice', 'includes', 'indexOf', 'lastIndexOf', 'splice', 'some', 'filter'];

/** The elements that methods of arrays visit while `work` runs, and how often each block of code runs. */
async function stepsOf(work: () => Promise<unknown>): Promise<number> {
  const methods = Array.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  let visited = 0;
  const blocks = await blocksRun(async () => {
    try {
      for (const name of NATIVE) {
        const native = methods[name] as (...args: unknown[]) => unknown;
        vi.spyOn(methods, name).mockImplementation(function (this: unknown[], ...args: unknown[]) {
          visited += this.length;
          return Reflect.apply(native, this, args);
        });
      }
      await work();
    } finally {
      vi.restoreAllMocks();
    }
  });
  return visited + blocks;
}

/** Streams the HTML in a single flush. */
function stream(html: string): Promise<string> {
  const source = new ReadableStream<string>({
    start(out) {
      out.enqueue(`<!doctype html><html><head></head><body>${html}`);
      out.close();
    },
  });
  return new Response(withServerData(source, new Controller())).text();
}

const nested = (open: string, close: string) => (depth: number) =>
  open.repeat(depth) + close.repeat(depth);
const within = (element: string, inner: (depth: number) => string) => (depth: number) =>
  `<${element}>${inner(depth)}</${element}>`;

test.each<[string, (depth: number) => string]>([
  ['svg', within('svg', nested('<g>', '</g>'))],
  ['math', within('math', nested('<mrow>', '</mrow>'))],
  ['template', within('template', nested('<div>', '</div>'))],
  ['svg in svg', nested('<svg>', '</svg>')],
  ['templates in templates', nested('<template>', '</template>')],
  [
    'all three in each other',
    nested('<svg><desc><template><math><mi>', '</mi></math></template></desc></svg>'),
  ],
  ['elements with attributes', within('svg', nested('<g a="b" c=d e>', '</g>'))],
  [
    'elements that end themselves',
    within('svg', (depth) => `${'<g>'.repeat(depth)}${'<path/>'.repeat(depth)}`),
  ],
  ['elements that are never closed', (depth) => `<svg>${'<g>'.repeat(depth)}`],
  ['templates that are never closed', (depth) => '<template><p>'.repeat(depth)],
  [
    'end tags of elements that are not open',
    (depth) => `<template>${'<div>'.repeat(depth)}${'</i>'.repeat(depth)}`,
  ],
  [
    'end tags outside of the template',
    (depth) => `<svg><desc>${'<div>'.repeat(depth)}${'<template></div></template>'.repeat(depth)}`,
  ],
  ['integration points', nested('<svg><foreignObject><div>', '</div></foreignObject></svg>')],
  ['annotations', nested('<math><annotation-xml><svg>', '</svg></annotation-xml></math>')],
  ['tags that end svg', (depth) => `<svg>${'<g>'.repeat(depth)}${'<p><svg><g>'.repeat(depth)}`],
  [
    'a select with templates',
    within('select', nested('<template><option>', '</option></template>')),
  ],
])(
  '[H5] streamed HTML of four times the depth takes less than eight times the steps: %s',
  async (_, html) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const steps: number[] = [];
    for (const depth of [200, 800]) steps.push(await stepsOf(() => stream(html(depth))));
    const [few = 0, many = 0] = steps;
    expect(few).toBeGreaterThan(200);
    // V8 does not count every run of optimized code
    expect(many / few).toBeLessThan(8);
  },
);
