/** A server in memory that handles and answers requests when a test calls `advance`. */
import { NetworkError, RestEndpoint } from 'signalbox';

/** A request that is not answered yet. */
export interface WaitingRequest<Body> {
  readonly method: string;
  readonly url: URL;
  readonly body: Partial<Body>;
  /** Set once the server has handled the request: lets the response arrive. */
  answer: (() => void) | undefined;
  readonly resolve: (response: Response) => void;
}

export abstract class SlowServer<Body> {
  readonly waiting: WaitingRequest<Body>[] = [];

  send(method: string, address: string, text: string | undefined): Promise<Response> {
    const url = new URL(address, 'http://h');
    const body = text === undefined ? {} : (JSON.parse(text) as Partial<Body>);
    return new Promise((resolve) => {
      this.waiting.push({ method, url, body, answer: undefined, resolve });
    });
  }

  /** The server handles the request; if the request is handled already, the response arrives. */
  advance(at: number): void {
    const request = this.waiting[at] as WaitingRequest<Body>;
    if (request.answer === undefined) {
      const response = this.handle(request);
      request.answer = () => request.resolve(response);
      return;
    }
    this.waiting.splice(at, 1);
    request.answer();
  }

  protected abstract handle(request: WaitingRequest<Body>): Response;
}

/** A server that handles mutations in their order, and refuses one when a test asks for a refusal. */
export abstract class OrderedServer<Body> extends SlowServer<Body> {
  /** The next mutation is refused. */
  refuses = false;

  override advance(at: number): void {
    const isUnhandled = ({ method, answer }: WaitingRequest<Body>) =>
      method !== 'GET' && answer === undefined;
    const request = this.waiting[at] as WaitingRequest<Body>;
    super.advance(isUnhandled(request) ? this.waiting.findIndex(isUnhandled) : at);
  }

  protected handle(request: WaitingRequest<Body>): Response {
    if (request.method === 'GET' || !this.refuses) return this.respondTo(request);
    this.refuses = false;
    return Response.json({ message: 'refused' }, { status: 422 });
  }

  protected abstract respondTo(request: WaitingRequest<Body>): Response;
}

/** The class of endpoints that send their requests to the server. */
export function endpointClassOf(server: SlowServer<object>): typeof RestEndpoint {
  return class extends RestEndpoint {
    override async fetchResponse(input: RequestInfo | URL, init: RequestInit = {}) {
      const text = init.body as string | undefined;
      const response = await server.send(init.method ?? 'GET', String(input), text);
      if (!response.ok) throw new NetworkError(response);
      return response;
    }
  };
}
