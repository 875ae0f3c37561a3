/** Pages that are written for GitHub, as VitePress needs them: links, anchors, tags, names of blocks and columns. */
import { posix } from 'node:path';
import type { MarkdownOptions } from 'vitepress';
import { frameworkOf, groupFrameworks } from './frameworkTabs.ts';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];
type Token = ReturnType<Markdown['parse']>[number];

/** The anchor of a heading on GitHub. */
export function gitHubSlug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * Changes what VitePress reads otherwise than GitHub: its index of all pages is `pages.md`, it knows only the files of docs/,
 * and a tag inside of a sentence would be a component.
 */
export function adaptPages(markdown: Markdown): void {
  nameBlocks(markdown);
  highlightOnce(markdown);
  // the rule of VitePress prints no attributes
  delete markdown.renderer.rules['table_open'];
  markdown.core.ruler.push('github-pages', ({ tokens, env }) => {
    nameColumns(tokens);
    focusDiagrams(tokens);
    groupFrameworks(tokens);
    for (const { children } of tokens) {
      adaptLinks(children ?? [], env.relativePath);
      for (const token of children ?? []) {
        if (token.type === 'html_inline' && !token.content.startsWith('<!--')) token.type = 'text';
      }
    }
  });
}

/** The pages and the index of the search render each block: to highlight it is half of the work of a build. */
function highlightOnce({ options }: Markdown): void {
  const { highlight } = options;
  const known = new Map<string, string>();
  options.highlight = (code, language, attributes) => {
    const key = JSON.stringify([code, language, attributes]);
    const html = known.get(key) ?? highlight?.(code, language, attributes) ?? '';
    known.set(key, html);
    return html;
  };
}

function adaptLinks(tokens: readonly Token[], page: string): void {
  let outside = false;
  for (const token of tokens) {
    if (token.type === 'link_open') outside = adaptLink(token, page);
    if (token.type === 'link_close' && outside) token.tag = 'span';
  }
}

/** A link to a file outside of docs/ becomes text with the path as its title. @returns whether it did. */
function adaptLink(token: Token, page: string): boolean {
  const href = String(token.attrGet('href'));
  if (/^(?:[a-z]+:|#)/.test(href)) return false;
  const path = posix.join(posix.dirname(page), href);
  if (path.startsWith('../')) {
    token.tag = 'span';
    token.attrs = [['title', path.slice('../'.length)]];
    return true;
  }
  token.attrSet('href', href.replace(/(^|\/)README\.md(?=#|$)/, '$1pages.md'));
  return false;
}

/** A block of one framework has the name of the framework in its corner instead of `tsx`. */
function nameBlocks({ renderer: { rules } }: Markdown): void {
  const { fence } = rules;
  rules.fence = (...call) => {
    const [tokens, at] = call;
    const html = fence?.(...call) ?? '';
    const token = tokens[at];
    const name = token && frameworkOf(token);
    return name === undefined
      ? html
      : html.replace(/<span class="lang">\w+/, `<span class="lang">${name}`);
  };
}

/** A row of more columns is not readable as a block, a row of numbers fits. */
const MAX_STACKED_COLUMNS = 4;

/** Each cell names its column, and the class `stacked` is for tables of which a phone shows each row as a block. */
function nameColumns(tokens: readonly Token[]): void {
  let table: Token | undefined;
  let names: string[] = [];
  let numbers = false;
  let column = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'table_open') {
      [table, names, numbers] = [token, [], false];
      // a keyboard scrolls it
      table.attrSet('tabindex', '0');
    }
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'th_open') {
      names.push(textOf(tokens[at + 1]));
      numbers ||= token.attrGet('style')?.includes('right') === true;
    }
    if (token.type === 'td_open') token.attrSet('data-column', names[column++] ?? '');
    if (token.type === 'thead_close' && !numbers && isStacked(names))
      table?.attrSet('class', 'stacked');
  }
}

/** A phone scrolls a diagram: a keyboard can, too, if the paragraph takes the focus. */
function focusDiagrams(tokens: readonly Token[]): void {
  for (const [at, { type, children }] of tokens.entries())
    if (type === 'inline' && children?.some((child) => child.type === 'image') === true)
      tokens[at - 1]?.attrSet('tabindex', '0');
}

const isStacked = (names: readonly string[]): boolean =>
  names.length <= MAX_STACKED_COLUMNS && names.some((name) => name !== '');

const textOf = (inline: Token | undefined): string =>
  (inline?.children ?? []).map(({ content }) => content).join('');
