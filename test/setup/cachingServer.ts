/** A server on loopback with validators and cache headers, and with 304 for unchanged responses. */
import { Controller, RestEndpoint, httpCache, optimistic } from 'signalbox';
import type { ArgsOf, Commit, ControllerOptions, EndpointInterface } from 'signalbox';
import { serve } from './server.ts';
import type { Answer, Asked } from './server.ts';
import { Page, StoppedClock, Todo } from './world.ts';

type Headers = Record<string, string>;

export interface Stage {
  readonly clock: StoppedClock;
  readonly page: Page;
  readonly controller: Controller;
  /** The body of a response. */
  body: unknown;
  /** The headers beside the body, with 200 and with 304. */
  headers: Headers;
  /** Of each request: the conditions, and the status of the response. */
  readonly log: string[];
  readonly commits: Commit[];
  /** Holds the next responses, of this many requests, until the returned function is called. */
  hold(requests?: number): () => void;
  /** Resolves when this many requests have come. */
  came(requests: number): Promise<void>;
  readonly address: string;
}

const etagOf = (body: unknown): string => `"${JSON.stringify(body).replace(/\W/g, '')}"`;

/** `modified`: no ETag but a date, which changes with the body. */
export async function cachingServer(
  body: unknown,
  headers: Headers = {},
  options: Omit<ControllerOptions, 'clock'> & { readonly modified?: boolean } = {},
): Promise<Stage> {
  const { modified = false, ...policies } = options;
  const clock = new StoppedClock();
  const page = new Page();
  const log: string[] = [];
  const waiting: (() => void)[] = [];
  let held: (() => void)[] = [];
  let toHold = 0;
  const dates = new Map<string, string>();
  const answerTo = ({ headers: sent }: Asked): Answer => {
    const etag = etagOf(stage.body);
    const day = dates.get(etag) ?? new Date(Date.UTC(2026, 0, dates.size + 1)).toUTCString();
    dates.set(etag, day);
    const isKnown = modified ? sent['if-modified-since'] === day : sent['if-none-match'] === etag;
    const status = isKnown ? 304 : 200;
    const conditions = [sent['if-none-match'], sent['if-modified-since']].filter(Boolean);
    log.push([...conditions, status].join(' '));
    const said = { ...(modified ? { 'last-modified': day } : { etag }), ...stage.headers };
    return { status, headers: said, ...(isKnown ? {} : { body: stage.body }) };
  };
  const server = await serve((asked, response) => {
    const answer = answerTo(asked);
    for (const look of waiting.splice(0)) look();
    if (toHold-- <= 0) return answer;
    held.push(() => {
      const { status = 200, headers: said, body: sent } = answer;
      response.writeHead(status, { 'content-type': 'application/json', ...said });
      response.end(sent === undefined ? undefined : JSON.stringify(sent));
    });
    return undefined;
  });
  const controller = new Controller({
    optimistic,
    clock,
    surroundings: page,
    retry: 0,
    sweepAfter: Infinity,
    ...policies,
  });
  const commits: Commit[] = [];
  controller.on('commit', (commit) => commits.push(commit));
  const stage: Stage = {
    clock,
    page,
    controller,
    body,
    headers,
    log,
    commits,
    address: server.address,
    hold(requests = 1) {
      const own = (held = [] as typeof held);
      toHold = requests;
      return () => {
        for (const go of own) go();
      };
    },
    async came(requests) {
      while (log.length < requests) await new Promise<void>((look) => waiting.push(look));
    },
  };
  return stage;
}

/**
 * The state for a new reader: fresh data, stale data that are shown and refetched, or no data yet; the reader
 * sends the request.
 */
export function found<E extends EndpointInterface>(
  { controller, clock }: Stage,
  endpoint: E,
  ...args: ArgsOf<E>
): 'valid' | 'stale' | 'invalid' {
  if (controller.view(endpoint, ...args).ensure(true) !== undefined) return 'invalid';
  return controller.getResponse(endpoint, ...args).expiresAt >= clock.now() ? 'valid' : 'stale';
}

/** A todo under the policy. */
export const todoAt = (address: string) =>
  new RestEndpoint({ urlPrefix: address, path: '/todos/:id', schema: Todo, http: httpCache });
