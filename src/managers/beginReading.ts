/** Stands for the reading of the disk, as if it were the first request: what is confirmed meanwhile is newer. */
import { Endpoint } from '../endpoint/Endpoint.ts';
import { InFlightRequest } from '../fetch/InFlightRequest.ts';

export function beginReading(): InFlightRequest {
  const endpoint = new Endpoint(() => Promise.resolve(), { name: 'persist', sideEffect: true });
  // no response comes, and a reset does not end it
  return Object.assign(new InFlightRequest(endpoint, [], 0, {}), { decided: true });
}
