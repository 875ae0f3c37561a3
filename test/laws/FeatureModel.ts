/** A part of a simulation with endpoints and a separate model; the store, the requests and the time are those of the simulation. */
import type { EndpointInterface } from 'signalbox';
import type { Asked, World } from '../setup/world.ts';
import type { Shown } from './storeReaders.ts';
import type { Model } from './model.ts';
import type { AwaitedRequest, Outcome, RequestsInFlight } from './requestsInFlight.ts';

/** The required parts of a simulation. */
export interface SimulationContext {
  readonly w: World;
  readonly model: Model;
  readonly inFlight: RequestsInFlight;
  send(request: AwaitedRequest): void;
  /** The data that readers see under a name. */
  peek(name: string): unknown;
  fault(what: string): void;
  /** This step is several commits. */
  several(): void;
}

/** The result of a request; `at` is the time of issue. */
interface Ends {
  readonly value: unknown;
  readonly take: (at: number) => void;
  readonly miss?: (at: number) => void;
  readonly shown?: () => unknown;
  /** True if the data count as fresh, and must not. */
  readonly stale?: (at: number) => boolean;
}

export abstract class FeatureModel {
  protected readonly simulation: SimulationContext;
  #asked = new Map<string, number>();
  /** When the last own write was confirmed. */
  #written = 0;

  constructor(simulation: SimulationContext) {
    this.simulation = simulation;
  }

  abstract get shown(): Shown[];

  reset(): void {
    this.#asked = new Map();
    this.#written = 0;
  }

  /** Reads of a key are a single request (F1), unless data were written since; returns the faults. */
  protected ask(endpoint: Asked<unknown>, { value, take, shown, stale }: Ends): string[] {
    const { w, model, inFlight } = this.simulation;
    const { name } = endpoint;
    const asked = this.#asked.get(name) ?? 0;
    const joins = asked > this.#written && asked > model.opaqueAt;
    const sent = w.calls.length;
    const abort = new AbortController();
    const fate = inFlight.follow(w.controller.fetch(endpoint.extend({ signal: abort.signal }), {}));
    if (w.calls.length === sent) {
      inFlight.share(name);
      return joins ? [] : [`older request joined: ${name}`];
    }
    const at = model.tick();
    this.#asked.set(name, at);
    const miss = () => void (this.#asked.get(name) === at && this.#asked.delete(name));
    const outcome = outcomeOf(value, {
      take: () => (miss(), take(at), void model.tick()),
      miss,
      shown: () => shown?.(),
      stale: () => stale?.(at) ?? false,
    });
    this.simulation.send({ call: w.call(), key: name, abort, fate, outcome });
    return joins ? [`one key asked twice: ${name}`] : [];
  }

  /** Sends a mutation. Returns the time of issue; the server acts in `serve`, on the received arguments. */
  protected tell(
    endpoint: EndpointInterface,
    args: readonly unknown[],
    serve: (args: readonly unknown[]) => Ends,
  ): number {
    const { w, model, inFlight } = this.simulation;
    const abort = new AbortController();
    const asking = (endpoint as Asked<unknown>).extend({ signal: abort.signal });
    const fate = inFlight.follow(w.controller.fetch(asking, ...args));
    const at = model.tick();
    const call = w.call();
    const { value, take, miss, shown, stale } = serve(call.args);
    const outcome = outcomeOf(value, {
      take: () => ((this.#written = model.tick()), take(at)),
      miss: () => miss?.(at),
      shown: () => shown?.(),
      stale: () => stale?.(at) ?? false,
    });
    this.simulation.send({ call, abort, fate, outcome });
    return at;
  }

  /** When the mutation was confirmed that is taken now. */
  protected get confirmed(): number {
    return this.#written;
  }
}

export function outcomeOf(
  value: unknown,
  ends: Omit<Outcome, 'value' | 'mayBeEmpty' | 'takeEmpty'>,
): Outcome {
  return { value, ...ends, mayBeEmpty: false, takeEmpty: () => {} };
}
