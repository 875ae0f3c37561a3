/** Garbage collection as a prop of the provider: a policy of the controller. */

/** The options of Data Client: garbage collection needs no interval here, they have no effect. */
export interface GCOptions {
  readonly intervalMS?: number;
  readonly expiryMultiplier?: number;
  // any: the metadata of a row
  expiresAt?(meta: any): number;
}

/** Collects rows that no component has used for `sweepAfter` ms. */
export class GCPolicy {
  /** How long unread data stay in memory; undefined: the default of the controller. */
  readonly sweepAfter: number | undefined = undefined;

  readonly options: GCOptions;

  constructor(options: GCOptions = {}) {
    this.options = options;
  }
}

/** Collects nothing. */
export class ImmortalGCPolicy extends GCPolicy {
  override readonly sweepAfter: number = Infinity;
}

/** A policy of garbage collection. */
export type GCInterface = Pick<GCPolicy, 'sweepAfter'>;
