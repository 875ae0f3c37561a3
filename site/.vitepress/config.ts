/** The site: the pages of docs/ as they are, with a sidebar, a search and the running examples. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { serveLive, writeLive } from '../live/liveExamples.ts';
import { adaptPages, gitHubSlug } from './gitHubPages.ts';
import { createSidebar } from './sidebar.ts';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));
const description =
  'Normalized client data for REST APIs on signals, for React, Preact and Solid: a mutation re-renders only the components that read the changed data.';
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='4' width='8' height='16' rx='4' fill='%23202724'/%3E%3Ccircle cx='8' cy='4.5' r='2.5' fill='%23493030'/%3E%3Ccircle cx='8' cy='11' r='2.5' fill='%2334d17b'/%3E%3C/svg%3E";

/** The index page gets this above its tables. */
const home = {
  layout: 'home',
  hero: {
    name: 'Signalbox',
    text: 'Normalized client data, on signals',
    tagline:
      'Declare entities and endpoints. Each entity is stored once, and a mutation re-renders only the components that read the changed data.',
    actions: [
      { theme: 'brand', text: 'Getting started', link: '/getting-started' },
      { theme: 'alt', text: 'Live demo', link: '/live/demo' },
      { theme: 'alt', text: 'Compare', link: '/compare' },
    ],
  },
};

/** The development server sends pages without `head`, and a browser that finds no icon asks for one. */
const iconPlugin = {
  name: 'icon',
  transformIndexHtml: () => [{ tag: 'link', attrs: { rel: 'icon', href: icon } }],
};

/** An application needs the width of the page. */
const live = { aside: false, pageClass: 'live-page' };

export default defineConfig({
  title: 'Signalbox',
  description,
  lang: 'en',
  // SITE_BASE: the folder of the site on its host, for example `/signalbox/`
  base: process.env['SITE_BASE'] ?? '/',
  srcDir: docs,
  rewrites: { 'README.md': 'index.md' },
  head: [['link', { rel: 'icon', href: icon }]],
  markdown: {
    // the default themes have words of too little contrast
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: gitHubSlug },
    config: adaptPages,
  },
  // each page in the viewport of the sidebar would be fetched
  router: { prefetchLinks: false },
  transformPageData({ relativePath }) {
    if (relativePath === 'index.md') return { frontmatter: home };
    if (relativePath.startsWith('live/')) return { frontmatter: live };
    return undefined;
  },
  themeConfig: {
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Demo', link: '/live/demo' },
      { text: 'Compare', link: '/compare' },
      { text: 'All pages', link: '/' },
    ],
    sidebar: createSidebar(docs),
    outline: [2, 3],
    search: { provider: 'local' },
  },
  vite: { plugins: [serveLive(), iconPlugin] },
  buildEnd: ({ outDir }) => writeLive(outDir),
});
