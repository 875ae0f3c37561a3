/** The face of signalbox/testing. */
export { mockController } from './mockController.ts';
export type { Fixture, MockOptions } from './mockController.ts';
export { stoppedClock } from './stoppedClock.ts';
export type { StoppedClock } from './stoppedClock.ts';
