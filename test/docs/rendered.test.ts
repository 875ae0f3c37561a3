// The site shows each word of a page: none is read as markup.
import { createMarkdownRenderer } from 'vitepress';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { expect, test } from 'vitest';
import { markdown } from '../../site/.vitepress/markdown.ts';
import { readPages, root } from './blocks.ts';

type Node = DefaultTreeAdapterTypes.Node;

// blocks of code are not read here
const options = { ...markdown, highlight: () => '' };
const renderer = await createMarkdownRenderer(`${root}docs`, options, '/');

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** The text of a page without blocks of code and without markup. */
function proseOf(text: string): string {
  return text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/^(?:::: .*|<\/?[a-zA-Z].*>)$/gm, (line) => line.replace(/^:::.*|<[^>]*>/g, ''))
    .replace(/!?\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)]*\)/g, (link, label: string) =>
      link.startsWith('!') ? '' : label,
    )
    .replace(/^ *\d+\. /gm, '')
    .replace(/[`*]/g, '');
}

function textOf(node: Node): string {
  if ('attrs' in node) {
    const classes = node.attrs.find(({ name }) => name === 'class')?.value ?? '';
    // blocks of code with their buttons, tabs, and the sign beside a heading
    if (/\blanguage-|\bheader-anchor|\btabs\b/.test(classes)) return '';
  }
  if (node.nodeName === '#text' && 'value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

test('[CODE] the site renders each word of each page', () => {
  const lost: Record<string, string> = {};
  const pages = readPages().filter(({ path }) => path.startsWith('docs/'));
  expect(pages.length).toBeGreaterThan(90);
  for (const { path, text } of pages) {
    const html = renderer.render(text, { relativePath: path.slice('docs/'.length) });
    const shown = wordsIn(textOf(parse(html)));
    const written = wordsIn(proseOf(text));
    const at = written.findIndex((word, index) => word !== shown[index]);
    if (at !== -1)
      lost[path] =
        `${written.slice(at - 3, at + 6).join(' ')} | ${shown.slice(at - 3, at + 6).join(' ')}`;
  }
  expect(lost).toEqual({});
});
