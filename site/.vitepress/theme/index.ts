/// <reference types="vite/client" />
/** The default theme with system fonts, and the components of the live pages. */
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { FrameworkChoice } from './FrameworkChoice.ts';
import { LiveEditor } from './LiveEditor.ts';
import { LiveExample } from './LiveExample.ts';
import { LiveStrip } from './LiveStrip.ts';
import './style.css';
import './home.css';
import './editor.css';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'layout-bottom': () => h(FrameworkChoice) }),
  enhanceApp({ app }) {
    app.component('LiveEditor', LiveEditor);
    app.component('LiveExample', LiveExample);
    app.component('LiveStrip', LiveStrip);
  },
} satisfies Theme;
