/** The site: the pages of docs/ as they are, with a sidebar, a search and the running examples. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { serveLive, writeLive } from '../live/liveExamples.ts';
import { markdown } from './markdown.ts';
import { createSidebar } from './sidebar.ts';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));
const description =
  'Normalized client data for REST APIs on signals, for React, Preact and Solid: a mutation re-renders only the components that read the changed data.';
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='4' width='8' height='16' rx='4' fill='%23202724'/%3E%3Ccircle cx='8' cy='4.5' r='2.5' fill='%23493030'/%3E%3Ccircle cx='8' cy='11' r='2.5' fill='%2334d17b'/%3E%3C/svg%3E";

/** The development server sends pages without `head`, and a browser that finds no icon asks for one. */
const iconPlugin = {
  name: 'icon',
  transformIndexHtml: () => [{ tag: 'link', attrs: { rel: 'icon', href: icon } }],
};

/** An application, or a table of many columns, needs the width of the page. */
const wide = { aside: false, pageClass: 'wide-page' };

export default defineConfig({
  title: 'Signalbox',
  description,
  lang: 'en',
  // SITE_BASE: the folder of the site on its host, for example `/signalbox/`
  base: process.env['SITE_BASE'] ?? '/',
  srcDir: docs,
  rewrites: { 'README.md': 'pages.md' },
  head: [['link', { rel: 'icon', href: icon }]],
  markdown,
  // each page in the viewport of the sidebar would be fetched
  router: { prefetchLinks: false },
  transformPageData({ relativePath }) {
    if (/^live\/|^compare\.md$/.test(relativePath)) return { frontmatter: wide };
    // its first list has all codes, and an outline would be a hundred codes
    return relativePath === 'errors.md' ? { frontmatter: { outline: false } } : undefined;
  },
  themeConfig: {
    logo: { src: icon, alt: '' },
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Demo', link: '/live/demo' },
      { text: 'Compare', link: '/compare' },
      { text: 'All pages', link: '/pages' },
    ],
    sidebar: createSidebar(docs),
    outline: [2, 3],
    search: { provider: 'local' },
  },
  vite: { plugins: [serveLive(), iconPlugin] },
  buildEnd: ({ outDir }) => writeLive(outDir),
});
