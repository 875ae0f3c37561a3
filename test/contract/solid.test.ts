// The behaviour suite, run on Solid 1.9.
import { Suspense } from 'solid-js';
import { solidDriver } from './solidDriver.ts';
import { contract } from './suite.ts';

contract(solidDriver('solid', Suspense));
