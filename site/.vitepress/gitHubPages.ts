/** Pages that are written for GitHub, as VitePress needs them: links, anchors, tags. */
import { posix } from 'node:path';
import type { MarkdownOptions } from 'vitepress';

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
 * Changes what VitePress reads otherwise than GitHub: its index page is `index.md`, it knows only the files of docs/,
 * and a tag inside of a sentence would be a component.
 */
export function adaptPages(markdown: Markdown): void {
  markdown.core.ruler.push('github-pages', ({ tokens, env }) => {
    for (const { children } of tokens) {
      adaptLinks(children ?? [], env.relativePath);
      for (const token of children ?? []) {
        if (token.type === 'html_inline' && !token.content.startsWith('<!--')) token.type = 'text';
      }
    }
  });
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
  token.attrSet('href', href.replace(/(^|\/)README\.md(?=#|$)/, '$1index.md'));
  return false;
}
