/** signalbox for users of @preact/signals-react: fields and results as signals, which its runtime draws and tracks. */
'use client';
// makes signals something that React can draw
import '@preact/signals-react/runtime';
// makes them a ReactNode, in types
// oxlint-disable-next-line unicorn/require-module-specifiers -- an import of nothing is left out of declarations
export type {} from '@preact/signals-react';

export { fieldsOf as $ } from './fieldsOf.ts';
export type { FieldSignals } from '../../src/live/fields.ts';
export { useSignalQuery } from './useSignalQuery.ts';
