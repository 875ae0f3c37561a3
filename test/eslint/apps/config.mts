// A configuration, as ESLint's own types take it.
import { defineConfig } from 'eslint/config';
import { signalbox } from 'signalbox/eslint-plugin';

export const config = defineConfig([
  signalbox.configs.recommended,
  { plugins: { signalbox }, rules: { 'signalbox/defined-pk': 'warn' } },
]);
