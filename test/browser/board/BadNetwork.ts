// A network that is slow, loses requests and responses, and lets them overtake one another; from a seed.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { Network } from '../../../examples/board/startBoard.ts';

interface Journey {
  /** How many ms the request and the response are on their way. */
  readonly there: number;
  readonly back: number;
  readonly end: 'arrives' | 'is refused' | 'is lost' | 'response is lost';
}

const time = fc.oneof(
  { weight: 5, arbitrary: fc.nat(30) },
  { weight: 1, arbitrary: fc.integer({ min: 60, max: 200 }) },
);

const journey: fc.Arbitrary<Journey> = fc.record({
  there: time,
  back: time,
  end: fc.oneof(
    { weight: 40, arbitrary: fc.constant('arrives' as const) },
    { weight: 4, arbitrary: fc.constant('is refused' as const) },
    { weight: 1, arbitrary: fc.constant('is lost' as const) },
    { weight: 1, arbitrary: fc.constant('response is lost' as const) },
  ),
});

/** Of a read, fewer attempts in a row fail than the library makes. */
const MOST_FAILURES = 2;

export class BadNetwork implements Network {
  /** Before, requests are only slow. */
  fails = false;
  readonly #journeys: readonly Journey[];
  readonly #failures = new Map<string, number>();
  readonly #streams = new Map<ServerResponse, Promise<unknown>>();
  #next = 0;

  constructor(seed: number) {
    this.#journeys = fc.sample(journey, { seed, numRuns: 997 });
  }

  async request(response: ServerResponse, handle: () => () => void): Promise<void> {
    const { there, back, end } = this.#travel();
    const fate = this.#fateOf(response, end);
    await sleep(there);
    if (fate === 'is lost') return void response.destroy();
    if (fate === 'is refused') return void response.writeHead(503, { 'retry-after': '0' }).end();
    const send = handle();
    await sleep(back);
    if (fate === 'response is lost') response.destroy();
    else send();
  }

  /** Changes arrive late, and in order. */
  push(response: ServerResponse, send: () => void): void {
    const { back } = this.#travel();
    const arrival = sleep(back);
    const before = this.#streams.get(response);
    this.#streams.set(response, Promise.all([before, arrival]).then(send));
  }

  /** Changes under way to the clients are lost. */
  dropStreams(): void {
    for (const response of this.#streams.keys()) response.destroy();
    this.#streams.clear();
  }

  #travel(): Journey {
    return this.#journeys[this.#next++ % this.#journeys.length] as Journey;
  }

  #fateOf({ req: { method, url = '' } }: ServerResponse, end: Journey['end']): Journey['end'] {
    if (!this.fails) return 'arrives';
    const failed = this.#failures.get(url) ?? 0;
    const fate = method === 'GET' && failed === MOST_FAILURES ? 'arrives' : end;
    this.#failures.set(url, fate === 'arrives' ? 0 : failed + 1);
    return fate;
  }
}
