/** signalbox for users of @preact/signals-react: fields and results as signals, rendered and tracked by its runtime. */
'use client';
// lets React render signals
import '@preact/signals-react/runtime';
// makes signals a ReactNode, in types
// oxlint-disable-next-line unicorn/require-module-specifiers -- an import of nothing is left out of declarations
export type {} from '@preact/signals-react';

export { fieldsOf as $ } from './fieldsOf.ts';
export type { FieldSignals } from '../../src/live/LiveObject.ts';
export { useSignalQuery } from './useSignalQuery.ts';
