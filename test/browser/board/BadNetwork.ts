// A network between the server of the board and its clients that is slow, loses messages, and lets them overtake one another.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Network } from '../../../examples/board/startBoard.ts';
import { Journeys } from './Journeys.ts';

export class BadNetwork implements Network {
  readonly journeys: Journeys;
  readonly #streams = new Map<ServerResponse, Promise<unknown>>();

  constructor(seed: number) {
    this.journeys = new Journeys(seed);
  }

  async request(response: ServerResponse, handle: () => () => void): Promise<void> {
    const { method, url } = response.req;
    const { there, back, end } = this.journeys.begin(method, url);
    await sleep(there);
    if (end === 'is lost') return void response.destroy();
    if (end === 'is refused') return void response.writeHead(503, { 'retry-after': '0' }).end();
    const send = handle();
    await sleep(back);
    if (end === 'response is lost') response.destroy();
    else send();
  }

  /** Changes arrive late, and in order. */
  push(response: ServerResponse, send: () => void): void {
    const arrival = sleep(this.journeys.delay);
    const before = this.#streams.get(response);
    this.#streams.set(response, Promise.all([before, arrival]).then(send));
  }

  /** Changes under way to the clients are lost. */
  dropStreams(): void {
    for (const response of this.#streams.keys()) response.destroy();
    this.#streams.clear();
  }
}
