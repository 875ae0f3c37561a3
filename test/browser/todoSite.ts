// The todo examples in a real browser: the content of the page, the rows that ran, the requests.
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import db from '../../examples/todo/db.json' with { type: 'json' };
import { startJsonServer, type JsonServer } from '../../examples/demo/jsonServer.ts';
import type { Framework } from '../../examples/ssr/bundle.ts';
import { startTodo, type TodoSite } from '../../examples/todo/startTodo.ts';
import { headlessShellOfFile } from '../setup/sharedBrowser.ts';
import { exampleSources } from './exampleSources.ts';
import { PageWatch } from './PageWatch.ts';

/** A row as the page shows the row: `[x] 2 Return the library books (OA)`. */
type Line = string;

/** The effect of a user action: the rows that ran, and the requests. */
export interface Effect {
  /** Rows whose elements or attributes changed, by id; added and removed rows do not count. */
  readonly ran: readonly string[];
  /** The number of view runs in these rows, if the framework runs views. */
  readonly runs: number;
  /** `PATCH /todos/1`, in the order of sending. */
  readonly asked: readonly string[];
}

export class Visit extends PageWatch {
  constructor(page: Page) {
    const serious = ['error', 'warning'];
    // the browser itself logs each request that fails
    super(page, (message) => !serious.includes(message.type()) || message.text().includes('503'));
  }

  lines(): Promise<Line[]> {
    return this.page.$$eval('.todo', (rows) =>
      rows.map((row) => {
        const ticked = row.querySelector<HTMLInputElement>('input[type=checkbox]')?.checked;
        const { id = '' } = (row as HTMLElement).dataset;
        const text = (part: string) => row.querySelector(part)?.textContent ?? '';
        return `[${ticked === true ? 'x' : ' '}] ${id} ${text('.title')} (${text('abbr')})`;
      }),
    );
  }

  left(): Promise<string | null> {
    return this.page.textContent('output');
  }

  row(title: string) {
    return this.page.locator('.todo', { hasText: title });
  }

  tick(title: string): Promise<void> {
    return this.page.getByRole('checkbox', { name: title, exact: true }).click();
  }

  mood(name: string): Promise<void> {
    return this.page.getByRole('radio', { name, exact: true }).check();
  }

  notice(): Promise<string | null> {
    return this.page.textContent('.notice');
  }

  /** The effect of `act`, after all changes have happened. */
  async effectOf(act: () => Promise<unknown>): Promise<Effect> {
    this.takeAsked();
    const before = await this.page.evaluate(watchRows);
    await act();
    await this.settled();
    const { ran, runs } = await this.page.evaluate(changedRows, before);
    return { ran, runs, asked: this.takeAsked() };
  }
}

interface Watch {
  readonly seen: Set<string>;
  stop(): void;
}

/** Runs in the page: from now on notes which rows change; gives how often each has run. */
function watchRows(): Record<string, number> {
  const seen = new Set<string>();
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      const id = element?.closest<HTMLElement>('.todo')?.dataset['id'];
      if (id !== undefined) seen.add(id);
    }
  });
  observer.observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  const watch: Watch = { seen, stop: () => observer.disconnect() };
  Object.assign(globalThis, { watch });
  const rows = [...document.querySelectorAll<HTMLElement>('.todo')];
  return Object.fromEntries(
    rows.map(({ dataset }) => [dataset['id'], Number(dataset['runs'] ?? 0)]),
  );
}

/** Runs in the page. */
function changedRows(before: Record<string, number>): { ran: string[]; runs: number } {
  const { watch } = globalThis as unknown as { watch: Watch };
  watch.stop();
  const there = [...document.querySelectorAll<HTMLElement>('.todo')].filter(
    ({ dataset }) => (dataset['id'] ?? '') in before,
  );
  const runs = there.map(
    ({ dataset }) => Number(dataset['runs'] ?? 0) - (before[dataset['id'] ?? ''] ?? 0),
  );
  const ids = there.map(({ dataset }) => dataset['id'] ?? '');
  return {
    ran: ids.filter((id, at) => watch.seen.has(id) || runs[at] !== 0),
    runs: runs.reduce((sum, each) => sum + each, 0),
  };
}

export const backends = ['json-server', 'mock'] as const;
type Backend = (typeof backends)[number];

export interface Lab {
  /** The requests to the real server since the last visits. */
  readonly served: readonly string[];
  /** Fresh pages on the initial todos, a page for each server. `query`: as in `mood=slow`. */
  visit(framework: Framework, query: string): Promise<Readonly<Record<Backend, Visit>>>;
}

/** A site and a browser for a file of tests. */
export function makeLab(): Lab {
  let api: JsonServer;
  let site: TodoSite;
  const browser = headlessShellOfFile();
  const pages: Page[] = [];
  beforeAll(async () => {
    api = await startJsonServer(join(exampleSources.root, 'examples/todo/db.json'));
    site = await startTodo({ ...exampleSources, api: api.url });
  });
  afterAll(async () => {
    await site?.close();
    await api?.close();
  });
  return {
    get served() {
      return site.requests;
    },
    async visit(framework, query) {
      await Promise.all(pages.splice(0).map((page) => page.close()));
      await restore(api.url);
      site.requests.length = 0;
      const visits = await Promise.all(
        backends.map(async (backend) => {
          const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
          pages.push(page);
          const visit = new Visit(page);
          const mock = backend === 'mock' ? 'mock&' : '';
          await page.goto(`${site.url}/${framework}?${mock}${query}`);
          return [backend, visit] as const;
        }),
      );
      return Object.fromEntries(visits) as Record<Backend, Visit>;
    },
  };
}

/** Puts the todos of the beginning back. */
async function restore(api: string): Promise<void> {
  const url = `${api}/todos`;
  const present = (await (await fetch(url)).json()) as { id: number }[];
  for (const { id } of present) await fetch(`${url}/${id}`, { method: 'DELETE' });
  const headers = { 'content-type': 'application/json' };
  for (const todo of db.todos) {
    await fetch(url, { method: 'POST', headers, body: JSON.stringify(todo) });
  }
}
