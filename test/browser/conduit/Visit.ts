// Conduit in a real browser, compared with the server: lists of the page equal lists of the server.
import type { Page } from 'playwright';
import type { ConduitSite } from '../../../examples/conduit/startConduit.ts';
import type { Fault } from '../../../examples/conduit/server/Faults.ts';
import { nameOf, PageWatch } from '../PageWatch.ts';

/** A page of a framework, and the server behind the page. */
export class Visit extends PageWatch {
  /** Requests that the server does not know. */
  readonly missing: string[] = [];
  /** Statuses that the test causes, each once. The browser writes each to the console. */
  readonly #refusals: number[];
  readonly #site: ConduitSite;
  /** True while the test itself calls the server: the server adds no faults. */
  #isComparing = false;

  constructor(page: Page, site: ConduitSite) {
    const refusals: number[] = [];
    super(page, (message) => {
      const text = message.text();
      if (text.includes('Download the React DevTools')) return true;
      const at = refusals.findIndex((status) => text.includes(`status of ${status} `));
      return at !== -1 && refusals.splice(at, 1).length === 1;
    });
    this.#refusals = refusals;
    this.#site = site;
    page.on('response', (response) => {
      if (response.status() === 404) this.missing.push(nameOf(response.request()));
    });
  }

  /** The server rejects the next invalid request with this status. */
  expectRefusal(status: number): void {
    this.#refusals.push(status);
  }

  /** Requests for which `next` names no fault have one of these, in turn. A read fails twice in a row at most. */
  disturb(faults: readonly Fault[]): void {
    const failures = new Map<string, number>();
    let requests = 0;
    this.#site.backend.faults.otherwise = (request) => {
      if (this.#isComparing) return undefined;
      const { delay = 0, status } = faults[requests++ % faults.length] ?? {};
      const failed = failures.get(request) ?? 0;
      const fails = status !== undefined && failed < 2;
      failures.set(request, fails ? failed + 1 : 0);
      if (!fails) return { delay };
      this.expectRefusal(status);
      return { delay, status };
    };
  }

  /** The next request of this kind is answered when the returned function is called. */
  hold(request: string, fault: Fault = {}): () => void {
    let release!: () => void;
    const until = new Promise<void>((resolve) => (release = resolve));
    this.next(request, { ...fault, until });
    return release;
  }

  /** The next request of this kind is answered with this status. */
  next(request: string, fault: Fault): void {
    this.#site.backend.faults.next(request, fault);
    if (fault.status !== undefined) this.expectRefusal(fault.status);
  }

  /** The requests of `act`, in the order of sending, after all effects have happened. */
  async asks(act: () => Promise<unknown>): Promise<string[]> {
    await this.settled();
    this.takeAsked();
    await act();
    await this.settled();
    return this.takeAsked();
  }

  /** Navigates to an address of the app. */
  async open(address: string): Promise<void> {
    await this.page.evaluate((hash) => (location.hash = hash), address);
    await this.settled();
  }

  follow(name: string): Promise<void> {
    return this.page.getByRole('link', { name, exact: true }).first().click();
  }

  press(name: string | RegExp): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  async write(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(fields)) {
      await this.page.getByLabel(label, { exact: true }).fill(text);
    }
  }

  async logIn(name: string, password = 'secret'): Promise<void> {
    await this.follow('Log in');
    await this.write({ Email: `${name}@example.com`, Password: password });
    await this.press('Log in');
  }

  preview(slug: string) {
    return this.page.locator(`.preview[data-slug="${slug}"]`);
  }

  /** The error messages that the user sees. */
  problems(): Promise<string[]> {
    return this.page.locator('[role=alert] li').allTextContents();
  }

  /** The response of the server to the user of the page. */
  async server<T>(address: string): Promise<T> {
    const token = await this.page.evaluate(() => localStorage.getItem('token'));
    const headers = token ? { authorization: `Token ${token}` } : {};
    this.#isComparing = true;
    const response = await fetch(`${this.#site.url}/api${address}`, { headers });
    this.#isComparing = false;
    return (await response.json()) as T;
  }
}
