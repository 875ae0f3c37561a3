// A page with a todo, and a way to refetch the todo.
import { Controller, Entity, RestEndpoint, httpCache } from 'signalbox';

class Todo extends Entity {
  id = 0;
  title = '';
}

export interface Play {
  /** Fetches once; returns the shown title, and the number of signals that the commit wrote. */
  ask(address: string, http: boolean): Promise<{ title: string; written: number | undefined }>;
}

const controllers = [new Controller(), new Controller({ http: httpCache })];

const play: Play = {
  async ask(urlPrefix, http) {
    const get = new RestEndpoint({ urlPrefix, path: '/todos/:id', schema: Todo });
    const controller = controllers[Number(http)] as Controller;
    let written: number | undefined;
    const stop = controller.on('commit', (commit) => (written = commit.written));
    const shown = controller.signal(get, { id: 1 });
    const stopShowing = shown.subscribe((todo) => (document.body.textContent = todo?.title ?? ''));
    await controller.fetch(get, { id: 1 });
    stop();
    const title = document.body.textContent ?? '';
    stopShowing();
    return { title, written };
  },
};

Object.assign(globalThis, { play });
