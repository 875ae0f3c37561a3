/** Serves the API on its own database, and prints the list of one client, until a signal ends the process. */
import { EventSource } from 'eventsource';
import { Controller } from 'signalbox';
import { connectLive, todosAt } from './client.ts';
import { startLive } from './startLive.ts';
import { findPostgres } from './startPostgres.ts';

export async function serveExample(root: string): Promise<void> {
  const bin = findPostgres();
  if (bin === undefined)
    throw new Error('PostgreSQL is not installed: apt-get install postgresql, or set POSTGRES_BIN');
  const live = await startLive(root, bin);
  const controller = new Controller();
  const todos = todosAt(live.url);
  const stream = connectLive(controller, todos, { EventSource });
  controller.signal(todos.getList).subscribe((list) => {
    console.log((list ?? []).map(({ id, title }) => `${id} ${title}`).join(', ') || '(none)');
  });
  controller.view(todos.getList).retain();
  await controller.fetch(todos.getList);
  console.log(`  ${live.url}/todos, by the processes ${live.pids.join(' and ')}; ${live.database}`);
  console.log(
    `  psql ${live.database} -c "insert into todos (key, title) values ('a', 'Buy tea')"`,
  );
  console.log(`  kill ${live.pids[0]}     a new process replaces it`);
  console.log('  Stop with Ctrl-C.');
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  stream.close();
  await live.close();
}
