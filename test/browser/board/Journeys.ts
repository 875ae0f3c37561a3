// How messages travel on a network that is slow, loses requests and responses, and lets them overtake one another; from a seed.
import * as fc from 'fast-check';

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

export class Journeys {
  /** Before, requests are only slow. */
  fails = false;
  readonly #journeys: readonly Journey[];
  readonly #failures = new Map<string, number>();
  #next = 0;

  constructor(seed: number) {
    this.#journeys = fc.sample(journey, { seed, numRuns: 997 });
  }

  /** How long a message of the server is on its way, ms. */
  get delay(): number {
    return this.#travel().back;
  }

  /** The journey of one request. `sender`: attempts of several senders may alternate. */
  begin(method: string | undefined, url: string = '', sender: number = 0): Journey {
    const { there, back, end } = this.#travel();
    if (!this.fails) return { there, back, end: 'arrives' };
    const key = `${sender} ${url}`;
    const failed = this.#failures.get(key) ?? 0;
    const fate = method === 'GET' && failed === MOST_FAILURES ? 'arrives' : end;
    this.#failures.set(key, fate === 'arrives' ? 0 : failed + 1);
    return { there, back, end: fate };
  }

  #travel(): Journey {
    return this.#journeys[this.#next++ % this.#journeys.length] as Journey;
  }
}
