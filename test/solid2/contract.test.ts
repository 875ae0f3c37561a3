// The behaviour suite, run on Solid 2.0.
import { Loading } from 'solid-js';
import { solidDriver } from '../contract/solidDriver.ts';
import { contract } from '../contract/suite.ts';

const stays =
  'what was shown stays until the new is there (isPending); a fallback is for the first time alone';

const gaps = {
  '[C1] invalidated data suspend the reader and are refetched': stays,
  '[C2] with invalidIfStale a new reader suspends for expired data beside a mounted reader, with one request':
    stays,
  '[H7] a boundary around a part leaves other parts mounted, and its reset refetches': stays,
  '[F3] useCancelling aborts the request of replaced arguments while the component is suspended':
    stays,
  '[H1] after a reset mounted readers suspend and refetch': stays,
  '[H1] useSelect refetches stale and invalidated data': stays,
  '[F3] the request of a reader that suspends again is not aborted': stays,
  '[C6] a detail after an incomplete row in a mounted list shows no default values': stays,
};

contract({ ...solidDriver('solid 2.0', Loading), gaps });
