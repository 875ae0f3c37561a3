/// <reference types="vite/client" />
/** The default theme with system fonts, and the frame of the live pages. */
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { LiveExample } from './LiveExample.ts';
import { LiveStrip } from './LiveStrip.ts';
import './style.css';
import './home.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('LiveExample', LiveExample);
    app.component('LiveStrip', LiveStrip);
  },
} satisfies Theme;
