/** How the site reads the pages of docs/: as GitHub does. */
import type { MarkdownOptions } from 'vitepress';
import { adaptPages, gitHubSlug } from './gitHubPages.ts';

export const markdown: MarkdownOptions = {
  // the default themes have words of too little contrast
  theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  // `{value}` at the end of a line is text
  attrs: { disable: true },
  anchor: { slugify: gitHubSlug },
  config: adaptPages,
};
