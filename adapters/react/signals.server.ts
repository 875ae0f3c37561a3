/** signalbox/react/signals under the condition `react-server`, where the runtime of @preact/signals-react does not load. */
'use client';
export { refuse as $, refuse as useSignalQuery } from './react.ts';
