/** A server in memory that handles and answers requests when a test calls `advance`. */

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
