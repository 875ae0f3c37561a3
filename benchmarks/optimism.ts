/** The works of the engine benchmark that wait for a server: changes shown at once, then confirmed, or taken back. */
import { makeRows } from './Contender.ts';
import type { Contender } from './Contender.ts';

/** By the name of a work: its time, and how often views ran. */
type Figures = Record<string, { ms: number; runs: number }>;

const WRITES = 1_000;

/** Requests that are answered when it is told to. */
class Server {
  #sent: {
    readonly answer: object;
    readonly resolve: (answer: object) => void;
    readonly reject: (reason: Error) => void;
  }[] = [];

  send(id: number, title: string): Promise<object> {
    return new Promise((resolve, reject) => {
      this.#sent.push({ answer: { id, title }, resolve, reject });
    });
  }

  answer(): void {
    for (const { answer, resolve } of this.#sent.splice(0)) resolve(answer);
  }

  refuse(): void {
    const reason = new Error('refused');
    for (const { reject } of this.#sent.splice(0)) reject(reason);
  }
}

/** Over many rows and over one; each write in a request of its own, and all as one. */
export async function optimism(make: () => Contender, count: number): Promise<Figures> {
  const figures: Figures = {};
  if (make().update === undefined) return figures;
  for (const rows of [Math.min(count, WRITES), 1]) {
    const box = make();
    box.ingest(makeRows(count));
    const works = over(box, rows);
    const runs = box.mount(true);
    for (const [work, run] of Object.entries(works)) {
      const before = runs();
      const start = performance.now();
      // one after the other is the point
      // eslint-disable-next-line no-await-in-loop
      await run();
      const ms = performance.now() - start;
      figures[`${WRITES} optimistic writes, ${rows} rows: ${work}`] = { ms, runs: runs() - before };
    }
  }
  return figures;
}

function over(box: Contender, rows: number): Record<string, () => unknown> {
  const server = new Server();
  let sent: Promise<unknown>[] = [];
  let round = 0;
  const changes = () => {
    round++;
    return Array.from({ length: WRITES }, (_, at) => {
      const [id, title] = [(at % rows) + 1, `${round} ${at}`];
      return { id, title, send: () => server.send(id, title) };
    });
  };
  const each = () => {
    for (const { id, title, send } of changes())
      sent.push(box.update?.(id, title, send) ?? Promise.resolve());
  };
  const together = () => void sent.push(box.updateAll?.(changes()) ?? Promise.resolve());
  const settled = (how: 'answer' | 'refuse') => async () => {
    server[how]();
    await Promise.allSettled(sent);
    sent = [];
  };
  return {
    'each apply': each,
    'each confirm': settled('answer'),
    'each apply again': each,
    'each roll back': settled('refuse'),
    'together apply': together,
    'together confirm': settled('answer'),
    'together apply again': together,
    'together roll back': settled('refuse'),
  };
}
