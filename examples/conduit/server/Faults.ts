/** Makes the server slow, failing or refusing on request: for the next request that is named, or for several. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NextFunction, Request, Response } from 'express';

export interface Fault {
  /** How many ms later the response is sent. The request is handled when it arrives. */
  readonly delay?: number;
  /** Instead of `delay`: the response is sent when it resolves. */
  readonly until?: Promise<unknown>;
  /** The request is not handled: the response has this status. */
  readonly status?: number;
  /** How many requests it is for. Default 1. */
  readonly times?: number;
}

export class Faults {
  readonly #waiting: { readonly request: string; fault: Fault; left: number }[] = [];

  /** The fault of requests for which `next` names none. */
  otherwise: (request: string) => Fault | undefined = () => undefined;

  /** `next('POST /articles/:slug/favorite', { status: 500 })`; `:name` stands for any segment, the query does not count. */
  next(request: string, fault: Fault): void {
    this.#waiting.push({ request, fault, left: fault.times ?? 1 });
  }

  /** Express middleware, to be used before the routes. */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const name = `${request.method} ${request.path}`;
    const { delay = 0, status, until } = this.#take(name) ?? this.otherwise(name) ?? {};
    if (delay > 0 || until !== undefined) late(response, until ?? sleep(delay));
    if (status === undefined) return next();
    request.resume();
    response.status(status).json({ errors: { server: [`was told to answer ${status}`] } });
  };

  #take(request: string): Fault | undefined {
    const found = this.#waiting.find(({ request: named }) => matches(named, request));
    if (found === undefined) return undefined;
    if (--found.left === 0) this.#waiting.splice(this.#waiting.indexOf(found), 1);
    return found.fault;
  }
}

/** Delays the response until the promise resolves. */
function late(response: Response, until: Promise<unknown>): void {
  const end = response.end.bind(response) as (...args: unknown[]) => Response;
  response.end = ((...args: unknown[]) => {
    void until.then(() => end(...args));
    return response;
  }) as typeof response.end;
}

function matches(named: string, request: string): boolean {
  const parts = request.split('/');
  const wanted = named.split('/');
  return (
    parts.length === wanted.length &&
    wanted.every((part, at) => part.startsWith(':') || part === parts[at])
  );
}
