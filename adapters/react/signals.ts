/** signalbox for users of @preact/signals-react: fields and results as signals, which its runtime draws and tracks. */
'use client';
// makes signals something that React can draw
import '@preact/signals-react/runtime';

export { fieldsOf as $ } from './fieldsOf.ts';
export type { FieldSignals } from '../../src/view/fields.ts';
export { useSignalQuery } from './useSignalQuery.ts';
