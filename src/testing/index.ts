/** The public API of signalbox/testing. */
export { mockController } from './mockController.ts';
export type { MockOptions } from './mockController.ts';
export type { Fixture, Interceptor } from './Fixture.ts';
export { RaceError, raceLab } from './raceLab.ts';
export type { Race, RaceOptions } from './raceLab.ts';
export { stoppedClock } from './stoppedClock.ts';
export type { StoppedClock } from './stoppedClock.ts';
