/** The steps in the terminal: each prints its requests and the views that ran, and compares them with the expected ones. */
import { Controller } from 'signalbox';
import { pause, type JsonServer } from './jsonServer.ts';
import { makeResources, Todo, type Exchange } from './resources.ts';
import { Stage } from './Stage.ts';
import { bold, count, cyan, dim, fact, green, red, say, yellow } from './terminal.ts';

interface Step {
  readonly title: string;
  /** The call that an application writes. */
  readonly code: string;
  act(): Promise<unknown>;
  /** What must happen, no more and no less. */
  readonly requests: number;
  readonly views: () => readonly string[];
  /** Given where it must be exact. */
  readonly signals?: number;
  readonly why: string;
}

export interface Outcome {
  readonly requests: number;
  readonly failures: readonly string[];
}

export async function tellStory(server: JsonServer): Promise<Outcome> {
  const started = performance.now();
  const teller = new Teller(server.url);
  for (const step of script(teller)) await teller.tell(step);
  // json-server writes its log shortly after the response
  for (let turn = 0; turn < 50 && server.answered < teller.requests; turn++) await pause(10);
  teller.expect('requests that json-server counted itself', server.answered, teller.requests);
  teller.close(server.answered, performance.now() - started);
  return teller;
}

class Teller {
  readonly controller = new Controller();
  readonly resources;
  readonly stage: Stage;
  readonly failures: string[] = [];
  requests = 0;
  #exchanges: Exchange[] = [];
  #steps = 0;
  #views = 0;
  #signals = 0;
  #written = 0;
  #commits = 0;

  constructor(url: string) {
    this.resources = makeResources(url, (exchange) => this.#exchanges.push(exchange));
    this.stage = new Stage(this.controller, this.resources);
    this.controller.on('commit', ({ written }) => {
      this.#written += written;
      this.#commits++;
    });
  }

  async tell(step: Step): Promise<void> {
    this.#exchanges = [];
    this.#written = this.#commits = 0;
    this.#steps++;
    say();
    say(`${dim(String(this.#steps).padStart(3))}  ${bold(step.title)}`);
    say(`     ${cyan(step.code)}`);
    const refusal = await step.act().then(
      () => undefined,
      (error: unknown) => String(error),
    );
    const ran = this.stage.take();
    this.requests += this.#exchanges.length;
    this.#views += ran.length;
    this.#signals += this.#written;
    this.#report(ran);
    this.#check(step, ran, refusal);
  }

  #report(ran: readonly string[]): void {
    const lines = this.#exchanges.map(wire);
    for (const [at, line] of (lines.length > 0 ? lines : [dim('no request')]).entries()) {
      fact(at === 0 ? 'http' : '', line);
    }
    const number = (n: number) => dim(String(n).padStart(4));
    const seen = ran.length === 0 ? dim('none') : summed(ran);
    fact('views', `${number(new Set(ran).size)} of ${this.stage.views} ran: ${seen}`);
    fact('signals', `${number(this.#written)} written in ${count(this.#commits, 'commit')}`);
    fact('requests', `${number(this.#exchanges.length)}, ${this.requests} so far`);
  }

  #check(step: Step, ran: readonly string[], refusal: string | undefined): void {
    const before = this.failures.length;
    const at = `step ${this.#steps}`;
    if (refusal !== undefined) this.failures.push(`${at}: ${refusal}`);
    this.expect(`${at}: requests`, this.#exchanges.length, step.requests);
    this.expect(`${at}: views that ran`, inOrder(ran), inOrder(step.views()));
    if (step.signals !== undefined)
      this.expect(`${at}: signals written`, this.#written, step.signals);
    const failed = this.failures.slice(before);
    if (failed.length === 0) say(`     ${green('✓')} ${step.why}`);
    for (const failure of failed) say(`     ${red('✗')} ${failure}`);
  }

  expect(what: string, found: string | number, due: string | number): void {
    if (found === due) return;
    this.failures.push(
      `${what}: ${found === '' ? 'none' : found}, expected ${due === '' ? 'none' : due}`,
    );
  }

  close(counted: number, ms: number): void {
    const told = [
      count(this.#steps, 'step'),
      `${count(this.requests, 'request')} (json-server counted ${counted})`,
      count(this.#views, 'view run'),
      `${count(this.#signals, 'signal')} written`,
      `${(ms / 1000).toFixed(1)} s`,
    ].join(dim(' · '));
    say();
    if (this.failures.length === 0) return say(`  ${green('✓')} ${told}`);
    say(`  ${red('✗')} ${told}`);
    for (const failure of this.failures) say(`    ${red(failure)}`);
  }
}

function wire({ method, path, status, ms }: Exchange): string {
  const coloured = status >= 200 && status < 300 ? green : yellow;
  const answer = `${coloured(String(status || 'none'))} ${dim(`${ms.toFixed(0).padStart(4)} ms`)}`;
  return `${method.padEnd(6)} ${path.padEnd(30)} ${answer}`;
}

const FEW = 8;

/** `list ×2 · 24 rows`, or each row if there are few. */
function summed(ran: readonly string[]): string {
  const rows = ran.filter((name) => name.startsWith('row '));
  const named = rows.length > FEW ? ran.filter((name) => !rows.includes(name)) : ran;
  const times = new Map<string, number>();
  const sorted = [...named].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  for (const name of sorted) times.set(name, (times.get(name) ?? 0) + 1);
  const texts = [...times].map(([name, n]) => (n === 1 ? name : `${name} ×${n}`));
  return (rows.length > FEW ? [...texts, `${rows.length} rows`] : texts).join(' · ');
}

function inOrder(names: readonly string[]): string {
  return [...names].sort().join(', ');
}

function script({ controller, resources, stage }: Teller): Step[] {
  const { todos, users } = resources;
  const row = (id: number) => `row ${id}`;
  const ofAuthor = (id: number) =>
    stage.rows.filter((pk) => String(controller.get(Todo, { id: pk })?.author?.id) === String(id));
  return [
    {
      title: 'Show the list',
      code: 'controller.fetch(todos.getList)',
      act: () => (stage.openList(), controller.fetch(todos.getList)),
      requests: 1,
      views: () => ['list', 'list', ...stage.rows.map(row)],
      why: 'one response, one commit: the list ran empty, then full, and each row once',
    },
    {
      title: 'Open a detail that the list has already loaded',
      code: 'controller.fetchIfStale(todos.get, { id: 3 })',
      act: () => (stage.openDetail(3), controller.fetchIfStale(todos.get, { id: 3 })),
      requests: 0,
      views: () => ['detail 3'],
      signals: 0,
      why: 'the same todo 3, rendered at once',
    },
    {
      title: 'Two readers fetch another detail at the same time',
      code: 'Promise.all([controller.fetch(todos.get, { id: 7 }), controller.fetch(todos.get, { id: 7 })])',
      act: () => {
        stage.openDetail(7);
        return Promise.all([1, 2].map(() => controller.fetch(todos.get, { id: 7 })));
      },
      requests: 1,
      views: () => ['detail 7'],
      why: 'one request for both; the response changed nothing, so no row ran',
    },
    {
      title: 'Change one todo',
      code: 'controller.fetch(todos.partialUpdate, { id: 7 }, { done: true })',
      act: () => controller.fetch(todos.partialUpdate, { id: 7 }, { done: true }),
      requests: 1,
      views: () => [row(7), 'detail 7'],
      why: 'one row of 24, and the detail that shows the same todo; the list did not run',
    },
    {
      title: 'Rename an author that several todos share',
      code: "controller.fetch(users.partialUpdate, { id: 2 }, { name: 'Olu A. Adeyemi' })",
      act: () => controller.fetch(users.partialUpdate, { id: 2 }, { name: 'Olu A. Adeyemi' }),
      requests: 1,
      views: () => ofAuthor(2).map(row),
      why: 'the rows that show this author, and no others',
    },
    {
      title: 'Add a todo',
      code: "controller.fetch(todos.create, { title: 'Light the stove', done: false, userId: 5 })",
      act: () =>
        controller.fetch(todos.create, { title: 'Light the stove', done: false, userId: 5 }),
      requests: 1,
      views: () => ['list', row(25)],
      why: 'it was added to the list without a refetch; the other 24 rows did not run',
    },
    {
      title: 'Fetch the whole list again, unchanged',
      code: 'controller.fetch(todos.getList)',
      act: () => controller.fetch(todos.getList),
      requests: 1,
      views: () => [],
      signals: 0,
      why: 'equal values keep their reference, so no view runs',
    },
    {
      title: 'Delete a todo',
      code: 'controller.fetch(todos.delete, { id: 12 })',
      act: () => controller.fetch(todos.delete, { id: 12 }),
      requests: 1,
      views: () => ['list'],
      why: 'the list removed one row, and no other row ran',
    },
    {
      title: 'Fetch a todo that does not exist',
      code: 'controller.fetch(todos.get, { id: 404 })',
      act: () => controller.fetch(todos.get, { id: 404 }).catch(() => {}),
      requests: 1,
      views: () => [],
      why: 'the promise was rejected with a NetworkError; no view ran',
    },
  ];
}
