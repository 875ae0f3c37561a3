/** The public API of signalbox/testing. */
export { mockController } from './mockController.ts';
export type { MockOptions, Fixture, Interceptor } from './mockController.ts';
export { InterleavingError, exploreInterleavings } from './exploreInterleavings.ts';
export type { Interleaving, InterleavingOptions } from './exploreInterleavings.ts';
export { fakeClock } from './fakeClock.ts';
export type { FakeClock } from './fakeClock.ts';
