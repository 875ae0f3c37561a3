/** Counts as a request issued before all others: data confirmed meanwhile are newer than the data of the disk. */
import { Endpoint } from '../endpoint/Endpoint.ts';
import { InFlightRequest } from '../request/InFlightRequest.ts';

export function beginDiskRead(): InFlightRequest {
  const endpoint = new Endpoint(() => Promise.resolve(), { name: 'persist', sideEffect: true });
  // there is no response, and a reset does not end it
  return Object.assign(new InFlightRequest(endpoint, [], 0), { settled: true });
}
