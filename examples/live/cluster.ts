/** Processes behind one port: the first of them only starts the others, and starts another for one that ends. */
import cluster, { type Worker } from 'node:cluster';
import { createServer } from 'node:http';
import { Api } from './Api.ts';

const [url = '', port = '0', count = '2'] = process.argv.slice(2);

/** What the first process tells whoever has started it, as often as it changes. */
export interface Told {
  readonly port: number;
  /** Of the processes that serve. */
  readonly pids: readonly number[];
}

if (cluster.isPrimary) {
  const serving = new Map<number, number>();
  const tell = (to: number) =>
    process.send?.({ port: to, pids: [...serving.values()] } satisfies Told);
  let known = Number(port);
  const running = new Set<Worker>();
  let closing = false;
  const start = () => {
    if (closing) return;
    const worker = cluster.fork();
    running.add(worker);
    worker.on('listening', (address) => {
      known = address.port;
      serving.set(worker.id, worker.process.pid as number);
      tell(known);
    });
    worker.on('exit', () => {
      running.delete(worker);
      serving.delete(worker.id);
      if (closing) return exitWithLast();
      tell(known);
      // not at once: what ends as soon as it has begun would be started without end
      setTimeout(start, 500);
    });
  };
  const exitWithLast = () => {
    if (running.size === 0) process.exit();
  };
  for (let made = 0; made < Number(count); made++) start();
  // the others first: what they tell a process that has ended would be a write to a closed pipe
  process.on('disconnect', () => {
    closing = true;
    for (const worker of running) worker.process.kill();
    exitWithLast();
  });
} else {
  const api = new Api(url);
  await api.start();
  createServer((request, response) => void api.answer(request, response)).listen(
    Number(port),
    '127.0.0.1',
  );
  process.on('disconnect', () => process.exit());
}
