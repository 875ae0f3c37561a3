/** The page: a list of tasks that are renamed in place, and the number of edits in the queue. */
import { Controller } from 'signalbox';
import { openQueue, tag, TaskResource } from './tasks.ts';
import type { Task } from './tasks.ts';

/** Not in the DOM types of TypeScript; Firefox and Safari have no `sync`. */
type SyncRegistration = ServiceWorkerRegistration & {
  readonly sync?: { register(tag: string): Promise<void> };
};

const controller = new Controller();
const queue = openQueue(controller);

function rowOf({ id, title }: Task): HTMLElement {
  const row = document.createElement('li');
  const input = document.createElement('input');
  input.value = title;
  input.ariaLabel = `Task ${id}`;
  input.addEventListener('change', () => {
    controller.fetch(TaskResource.partialUpdate, { id }, { title: input.value }).catch(reportError);
  });
  row.append(input);
  return row;
}

controller.signal(TaskResource.getList).subscribe((tasks = []) => {
  document.querySelector('ul')?.replaceChildren(...tasks.map(rowOf));
});
controller.view(TaskResource.getList).retain();
controller.fetch(TaskResource.getList).catch(reportError);

/** Without permission to sync in the background, the next visit sends the edits. */
async function requestSync(): Promise<void> {
  const { sync }: SyncRegistration = await navigator.serviceWorker.ready;
  await sync?.register(tag).catch(() => {});
}

await navigator.serviceWorker.register('/serviceWorker.js');
await queue.ready;
let known = 0;
queue.pending.subscribe(({ length }) => {
  if (length > known) void requestSync();
  known = length;
  const output = document.querySelector('output') as HTMLOutputElement;
  output.value = length === 0 ? 'All edits are sent' : `Unsent edits: ${length}`;
});
