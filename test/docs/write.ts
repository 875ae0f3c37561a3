// Makes a module of each page's blocks, with the same line numbers, so that errors name the line of the page.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseSync } from 'oxc-parser';
import type { TestProject } from 'vitest/node';
import { frameworks, frameworksOf, readPages, root } from './blocks.ts';
import type { Block, Framework, Page } from './blocks.ts';

export const folder: string = `${root}test-results/docs`;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  // any: the syntax tree has a shape for each type
  readonly [member: string]: any;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A written module, and the page of the module. */
export interface Written {
  readonly path: string;
  readonly file: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly pages: Readonly<Record<Framework, readonly Written[]>>;
  }
}

/** Runs before all tests. Two runs of different projects may overlap: each run writes the pages of the own projects. */
export function setup({ provide, vitest }: TestProject): void {
  const projects = new Set(vitest.projects.map(({ name }) => name));
  // the compiler reads all frameworks, in the project of Node
  const needed = (name: Framework) => projects.has('node') || projects.has(name);
  const [node, react, preact, solid] = frameworks.map((name) =>
    needed(name) ? writePages(name) : [],
  ) as Four;
  provide('pages', { node, react, preact, solid });
}

type Four = [Written[], Written[], Written[], Written[]];

/** Writes the modules of all pages that run in this framework, and the shared resources. */
export function writePages(framework: Framework): Written[] {
  rmSync(`${folder}/${framework}`, { recursive: true, force: true });
  const pages = readPages();
  const shared = pages.flatMap(({ blocks }) => blocks.filter((block) => block.shared));
  const resources = shared.map(({ code }) => code).join('\n');
  save(`${folder}/resources.ts`, resources);
  const names = [...resources.matchAll(/^export (?:class|const) (\w+)/gm)].map(
    ([, name = '']) => name,
  );
  return pages
    .filter((page) => frameworksOf(page).includes(framework))
    .map((page) => {
      const name = page.path.replace(/\.md$/, '');
      const file = `${folder}/${framework}/${name}${framework === 'solid' ? '.solid' : ''}.tsx`;
      save(
        file,
        attempt(() => moduleOf(page, framework, names)),
      );
      return { path: page.path, file };
    });
}

/** A page that cannot be parsed fails in the test of the page. */
function attempt(make: () => string): string {
  try {
    return make();
  } catch (error) {
    const message = JSON.stringify((error as Error).message);
    return `export async function run() { throw new Error(${message}); }`;
  }
}

const jsx = { node: 'react', react: 'react', preact: 'preact', solid: 'solid-js' };

/*
 *   line 1     imports, and the beginning of `run`
 *   line n     line n of the page; the fence is `{`: a block sees the names of earlier blocks, and may
 *              declare these names again
 *   last line  all `}`
 */
function moduleOf(page: Page, framework: Framework, shared: readonly string[]): string {
  const lines = page.text.split('\n').map(() => '');
  const imports = new Set<string>();
  const blocks = page.blocks.filter(
    ({ framework: own = framework, notCompiled, shared }) =>
      own === framework && notCompiled === undefined && !shared,
  );
  for (const block of blocks) {
    // blocks that do not run are compiled, too
    lines[block.line - 2] = block.notRun === undefined ? '{' : '{ async () => {';
    const code = rewrite(block, page.path, imports).split('\n');
    code.forEach((line, at) => (lines[block.line - 1 + at] += line));
    const close = block.line - 2 + block.code.split('\n').length;
    if (block.notRun !== undefined) lines[close] += '}}';
  }
  const open = blocks.filter(({ notRun }) => notRun === undefined).length;
  // a value is a type, too
  const mine = [...imports]
    .filter((one) => !imports.has(one.replace('type ', '')) || !one.includes('type '))
    .join(' ');
  const taken = new Set(mine.match(/\w+/g));
  const known = shared.filter((name) => !taken.has(name)).join(', ');
  const up = '../'.repeat(page.path.split('/').length);
  lines[0] =
    `/** @jsxImportSource ${jsx[framework]} */ import type { Stage } from '${up}../../test/docs/PageWorld.ts'; ` +
    `import { ${known} } from '${up}resources.ts'; ${mine} export async function run({ check, thrown, page, server, controller }: Stage) {`;
  return `${lines.join('\n')}\n${'}'.repeat(open + 1)}\n`;
}

/** The code without imports, with the comments that state results turned into checks. */
function rewrite({ code, line }: Block, path: string, imports: Set<string>): string {
  const { program, comments, errors } = parseSync('block.tsx', code);
  const place = (at: number) => `${path}:${line - 1 + code.slice(0, at).split('\n').length}`;
  if (errors.length > 0) throw new Error(`${path}:${line} ${errors[0]?.message}`);
  const body = program.body as unknown as Node[];
  const sayings = new Map<Node | undefined, string>();
  for (const { start } of comments.filter(({ value }) => /^ (?:=>|throws) /.test(value))) {
    const node = body.filter(({ end }) => end <= start).at(-1);
    if (!/^[ \t]*\n?[ \t]*$/.test(code.slice(node?.end ?? -1, start))) {
      throw new Error(`${place(start)} what comes out is said of no statement`);
    }
    sayings.set(node, whole(code, start));
  }
  const edits = body.flatMap((node): Edit[] => {
    if (node.type === 'ImportDeclaration') {
      for (const one of single(node)) imports.add(one);
      return [{ start: node.start, end: node.end, text: '' }];
    }
    if (node.type === 'ExportNamedDeclaration') {
      return [{ start: node.start, end: (node['declaration'] as Node).start, text: '' }];
    }
    return checking(node, code, { text: sayings.get(node), place: place(node.start) });
  });
  // the last first, so that places stay; lines, too
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: by }) => {
      const lines = text.slice(start, end).replace(/[^\n]/g, '');
      return text.slice(0, start) + by + lines + text.slice(end);
    }, code);
}

/** A separate import for each name, so that blocks may repeat imports. All pages import the shared resources. */
function single({ specifiers, source, importKind }: Node): string[] {
  const from = `from '${source.value as string}';`;
  if (source.value === './resources') return [];
  if (specifiers.length === 0) return [`import '${source.value as string}';`];
  return (specifiers as Node[]).map((one) => {
    const type = importKind === 'type' || one['importKind'] === 'type' ? 'type ' : '';
    const { local, imported } = one as unknown as Record<'local' | 'imported', { name: string }>;
    if (one.type === 'ImportDefaultSpecifier') return `import ${type}${local.name} ${from}`;
    if (one.type === 'ImportNamespaceSpecifier') return `import * as ${local.name} ${from}`;
    const as = imported.name === local.name ? '' : ` as ${local.name}`;
    return `import ${type}{ ${imported.name}${as} } ${from}`;
  });
}

/** The comment with the comment lines right below. */
function whole(code: string, start: number): string {
  const [text = ''] = /^\/\/ .*(?:\n[ \t]*\/\/ {2,}.*)*/.exec(code.slice(start)) ?? [];
  return text.replace(/\n?[ \t]*\/\/ +/g, ' ').trim();
}

interface Saying {
  readonly text: string | undefined;
  readonly place: string;
}

/*
 *   <Title id={1} />;     drawn, alone on the page
 *   … // => <h1>x</h1>    the HTML, or the text
 *   f(); // => 7          the result
 *   const a = f(); // => 7
 *   f(); // throws R1     the rejection
 */
function checking(node: Node, code: string, { text, place }: Saying): Edit[] {
  const { type, end, expression } = node;
  const at = JSON.stringify(place);
  const [, how, expected] = /^(=>|throws) (.*)$/.exec(text ?? '') ?? [];
  const inner = type === 'ExpressionStatement' ? (expression as Node) : node;
  if (inner.type.startsWith('JSX')) {
    const html = JSON.stringify(expected);
    return wrap(node, 'await page.draw(controller, () => (', `), ${html}, ${at});`, inner.end);
  }
  if (how === undefined) return [];
  if (how === 'throws') {
    return wrap(node, 'await thrown(async () => { ', ` }, ${JSON.stringify(expected)}, ${at});`);
  }
  if (type !== 'VariableDeclaration') {
    return wrap(node, 'check(', `, (${expected}), ${at});`, inner.end);
  }
  const { id } = node['declarations'][0] as { id: Node };
  const name = code.slice(id.start, (id['typeAnnotation'] as Node | null)?.start ?? id.end);
  return [{ start: end, end, text: ` check(${name}, (${expected}), ${at});` }];
}

function wrap({ start, end }: Node, before: string, after: string, inner: number = end): Edit[] {
  return [
    { start, end: start, text: before },
    { start: inner, end, text: after },
  ];
}

function save(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
