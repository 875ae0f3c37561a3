// Runs in the page: a controller with an offline queue, which the test calls.
import { All, Controller, createResource, Entity, optimistic } from 'signalbox';
import { offline } from 'signalbox/offline';

class Task extends Entity {
  id = 0;
  title = '';
}

const TaskResource = createResource({ path: '/tasks/:id', schema: Task, optimistic: true });
const controller = new Controller({ optimistic });
const queue = offline(controller, { names: { task: TaskResource } });
const quiet = (promise: Promise<unknown>) => void promise.catch(() => {});
const shown = () => (controller.get(new All(Task)) ?? []).map(({ title }) => title).sort();

/** The functions for the test. */
export interface Play {
  make(title: string): void;
  /** Of the task that is shown with this title. */
  rename(from: string, to: string): void;
  /** The titles, and how many mutations wait. */
  look(): Promise<{ shown: string[]; waiting: number; locks: boolean }>;
}

const play: Play = {
  make: (title) => quiet(controller.fetch(TaskResource.create, { title })),
  rename(from, to) {
    const id = controller.get(new All(Task))?.find(({ title }) => title === from)?.id ?? 0;
    quiet(controller.fetch(TaskResource.partialUpdate, { id }, { title: to }));
  },
  async look() {
    await queue.ready;
    const locks = navigator.locks !== undefined;
    return { shown: shown(), waiting: queue.pending.value.length, locks };
  },
};
Object.assign(globalThis, { play });
