/** What a controller tells whoever listens: devtools, persistence, other tabs, logs, tests. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Args } from '../schema/schema.ts';

export interface Events {
  /** One per request, however many attempts it takes. */
  request: { readonly endpoint: EndpointInterface; readonly args: Args; readonly key: string };
  retry: {
    readonly endpoint: EndpointInterface;
    readonly args: Args;
    readonly key: string;
    /** The attempt that follows: 2 is the first retry. */
    readonly attempt: number;
    /** In how many milliseconds. */
    readonly delay: number;
    /** What the attempt before failed with, as it was thrown. */
    readonly error: unknown;
  };
  commit: {
    readonly cause:
      | 'answer'
      | 'set'
      | 'error'
      | 'invalidate'
      | 'expire'
      | 'reset'
      /** What is expected of a mutation is shown, or taken back. */
      | 'optimistic'
      | 'rollback';
    /** The request that caused it, if one did. */
    readonly key: string | undefined;
    /** How many signals it wrote. */
    readonly written: number;
  };
  error: { readonly key: string; readonly error: Error };
  reset: { readonly generation: number };
}
