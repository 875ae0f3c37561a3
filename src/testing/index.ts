/** The face of signalbox/testing. */
export { mockController } from './mockController.ts';
export type { Fixture, MockOptions } from './mockController.ts';
export { RaceError, raceLab } from './raceLab.ts';
export type { Race, RaceOptions } from './raceLab.ts';
export { stoppedClock } from './stoppedClock.ts';
export type { StoppedClock } from './stoppedClock.ts';
