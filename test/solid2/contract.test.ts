// The behaviour suite, run on Solid 2.0.
import { Loading } from 'solid-js';
import { solidDriver } from '../contract/solidDriver.ts';
import { contract } from '../contract/suite.ts';

const stays =
  'what was shown stays until the new is there (isPending); a fallback is for the first time alone';

const gaps = {
  '[C1] what is invalidated suspends and is asked again': stays,
  '[C2] a mounted reader goes on showing while another waits for the expired': stays,
  '[H7] a boundary around a part leaves the rest alone, and its button asks again': stays,
  '[F3] useCancelling aborts at once what a suspended component no longer waits for': stays,
  '[H1] after a reset mounted readers start anew': stays,
  '[H1] useSelect asks again where its data are stale or invalidated': stays,
  '[F3] who suspends again is not taken for gone': stays,
  '[C6] from a list on the screen to the detail no default is shown': stays,
};

contract({ ...solidDriver('solid 2.0', Loading), gaps });
