// The requests and messages of a page of an example, and the moment at which the page has come to rest.
import type { ConsoleMessage, Page, Request } from 'playwright';

export class PageWatch {
  readonly page: Page;
  /** Messages of the console and uncaught errors. */
  readonly complaints: string[] = [];
  /** The requests of the page, as `PATCH /todos/1`. */
  readonly asked: string[] = [];
  #looked = 0;
  #open = 0;

  /** `isExpected`: messages that are no complaints. */
  constructor(page: Page, isExpected: (message: ConsoleMessage) => boolean) {
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (!isExpected(message)) this.complaints.push(message.text());
    });
    // a stream does not end
    const isOurs = (request: Request) =>
      new URL(request.url()).pathname.startsWith('/api/') &&
      request.resourceType() !== 'eventsource';
    page.on('request', (request) => {
      if (!isOurs(request)) return;
      this.asked.push(nameOf(request));
      this.#open++;
    });
    const end = (request: Request) => {
      if (isOurs(request)) this.#open--;
    };
    page.on('requestfinished', end).on('requestfailed', end);
  }

  /** How many requests are under way. */
  get underWay(): number {
    return this.#open;
  }

  /** The requests since the last call. */
  takeAsked(): string[] {
    const news = this.asked.slice(this.#looked);
    this.#looked = this.asked.length;
    return news;
  }

  /** A request ends for the browser before the page has read the response. */
  async drawn(): Promise<void> {
    await this.page.evaluate(countUnread);
    await this.page.waitForFunction(() => (globalThis as Unread).unread === 0);
    await this.page.evaluate(drawn);
  }

  /** Resolves when no request is in flight, and the effects of the last response are rendered. */
  async settled(): Promise<void> {
    do {
      // a request sent by the last action is known in the page after the next frame
      await this.drawn();
      // a framework may delay a transition that the response ended
      await this.page.waitForFunction(
        () => document.querySelector('[aria-busy=true], .waiting') === null,
      );
      // the browser may report a request later than the frame that sent the request: the page itself knows
    } while (
      this.#open > 0 ||
      (await this.page.evaluate(() => (globalThis as Unread).unread)) !== 0
    );
  }
}

/** `PATCH /todos/1?x=y` */
export function nameOf(request: Request): string {
  const { pathname, search } = new URL(request.url());
  return `${request.method()} ${pathname.slice('/api'.length)}${search}`;
}

interface Unread {
  /** Responses that the page waits for or reads. */
  unread?: number;
}

/** Runs in the page, and counts from the first time on. */
function countUnread(): void {
  const page = globalThis as Unread;
  if (page.unread !== undefined) return;
  const { fetch } = globalThis;
  page.unread = 0;
  const read = () => setTimeout(() => void page.unread!--);
  globalThis.fetch = async (...request) => {
    page.unread!++;
    try {
      const response = await fetch(...request);
      void response.clone().arrayBuffer().then(read, read);
      return response;
    } catch (error) {
      read();
      throw error;
    }
  };
}

/** Runs in the page: two frames, so that effects of the first are drawn, too, and tasks that the two frames scheduled. */
function drawn(): Promise<unknown> {
  return new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))),
  );
}
