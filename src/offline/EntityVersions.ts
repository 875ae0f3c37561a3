/** The versions of entities: the ETag of the data that readers see, and the present data of the server. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf, isEndpoint } from '../endpoint/argumentChecks.ts';
import type { FetchContext, FetchMiddleware } from '../request/FetchContext.ts';
import { readableData, etagIn } from '../request/httpCache.ts';
import { putResponse } from '../request/put.ts';
import { isTransient } from '../request/retryDelay.ts';
import type { Args } from '../schema/schema.ts';
import type { Registry } from '../sync/Registry.ts';
import { urlOf } from './queueIdOf.ts';
import { sendOnce, strongETag } from './sendOnce.ts';
import type { SentMutation } from './sendOnce.ts';

// how many ETags of mutation responses are kept
const MAX_LEARNED = 1_000;

interface Options {
  readonly context: FetchContext;
  readonly send: FetchMiddleware;
  readonly registry: Registry;
  /** False: no mutation is sent with `If-Match`, and no ETag is known. */
  readonly ifMatch: boolean;
  readonly hold: (error: unknown) => boolean;
}

export class EntityVersions {
  readonly #options: Options;
  /** By the key of the read: the ETag, and the data of this version. */
  readonly #learned = new Map<string, { readonly etag: string; readonly data: unknown }>();

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * The strong ETag of the version that readers see, `''` if unknown, undefined without `ifMatch`. Weak ETags are not
   * used: `If-Match` never matches a weak ETag (RFC 9110, 13.1.1).
   */
  of(mutation: ReadCall): string | undefined {
    const { ifMatch } = this.#options;
    if (!ifMatch) return undefined;
    const result = this.#resultOf(mutation);
    if (result === undefined) return '';
    const known = strongETag(etagIn(result));
    if (known !== '') return known;
    const learned = this.#learned.get(result.key);
    return learned?.data === readableData(result) ? (learned?.etag ?? '') : '';
  }

  /** Records the ETag of the response to a mutation, which readers see. */
  learn(mutation: ReadCall, etag: string): void {
    const result = etag === '' ? undefined : this.#resultOf(mutation);
    if (result === undefined) return;
    this.#learned.delete(result.key);
    this.#learned.set(result.key, {
      etag,
      data: readableData(result),
    });
    for (const oldest of this.#learned.keys()) {
      if (this.#learned.size <= MAX_LEARNED) break;
      this.#learned.delete(oldest);
    }
  }

  #resultOf(mutation: ReadCall) {
    const { registry, context } = this.#options;
    const read = readOf(registry, mutation);
    return read && context.store.findResult(keyOf(read.endpoint, read.args));
  }

  /**
   * Fetches the entity that a mutation changes, for readers as well. The value is undefined if the server has none, or
   * no read of the entity has a name. An error in the result may pass, or holds the queue.
   */
  async fetch(mutation: ReadCall, signal: AbortSignal): Promise<SentMutation> {
    const { registry, context, send, hold, ifMatch } = this.#options;
    const read = readOf(registry, mutation);
    const none: SentMutation = { result: { value: undefined }, etag: '' };
    if (read === undefined) return none;
    const { endpoint, args } = read;
    const { result, etag } = await sendOnce(context, send, { endpoint, args, signal });
    if ('error' in result)
      return hold(result.error) || isTransient(result.error) ? { result, etag } : none;
    try {
      const record = context.store.result(keyOf(endpoint, args), endpoint.schema, args);
      putResponse(context, endpoint, record, result.value);
    } catch {
      // a value that the store refuses is passed to the application only
    }
    return { result, etag: ifMatch ? etag : '' };
  }
}

/** A request: an endpoint with arguments. */
interface ReadCall {
  readonly endpoint: EndpointInterface;
  readonly args: Args;
}

/** A named read of the address of a PUT, PATCH or DELETE; undefined if there is none. */
function readOf(registry: Registry, { endpoint, args }: ReadCall): ReadCall | undefined {
  const { method = '' } = endpoint as { readonly method?: string };
  const url = /^(?:PUT|PATCH|DELETE)$/i.test(method) ? urlOf(endpoint, args) : undefined;
  if (url === undefined) return undefined;
  const params = args.slice(0, 1);
  for (const [, read] of registry.all())
    if (isEndpoint(read) && !read.sideEffect && urlOf(read, params) === url)
      return { endpoint: read, args: params };
  return undefined;
}
