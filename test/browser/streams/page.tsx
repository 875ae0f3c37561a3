// A page with a list that an event source and a socket write to, and with a count of renders.
import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Controller, Delete, createResource, Entity } from 'signalbox';
import { Provider, useSuspense } from 'signalbox/react';
import { connectEventSource, connectWebSocket } from 'signalbox/streams';
import type { Stream, StreamSteps } from 'signalbox/streams';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

interface Message {
  readonly type: 'created' | 'changed' | 'deleted';
  readonly id: number;
  readonly title?: string;
}

const deletion = new Delete(Todo);

/** The functions for the test. */
export interface Streams {
  open(addresses: { rest: string; events: string; socket: string }): Promise<void>;
  readonly status: readonly string[];
  readonly renders: number;
  close(): void;
}

class Page implements Streams {
  readonly #controller = new Controller();
  #streams: Stream[] = [];
  renders = 0;

  async open({ rest, events, socket }: Parameters<Streams['open']>[0]): Promise<void> {
    const todos = createResource({ urlPrefix: rest, path: '/todos/:id', schema: Todo });
    const receive = ({ type, ...todo }: Message, { set }: StreamSteps) => {
      if (type === 'created') set(todos.getList.push.schema, todo);
      else set(type === 'deleted' ? deletion : Todo, { id: todo.id }, todo);
    };
    const options = { receive, catchUp: [todos], batch: 500, backoff: { first: 5, most: 50 } };
    this.#streams = [
      connectEventSource(this.#controller, events, options),
      connectWebSocket(this.#controller, socket, options),
    ];
    const rendered = () => void this.renders++;
    const List = (): ReactElement => {
      const list = useSuspense(todos.getList);
      rendered();
      return <p>{list.map(({ id, title }) => `${id} ${title}`).join(', ')}</p>;
    };
    await this.#controller.fetch(todos.getList);
    createRoot(document.body.appendChild(document.createElement('main'))).render(
      <Provider controller={this.#controller}>
        <List />
      </Provider>,
    );
  }

  get status(): string[] {
    return this.#streams.map(({ status }) => status.value);
  }

  close(): void {
    for (const stream of this.#streams) stream.close();
  }
}

Object.assign(globalThis, { streams: new Page() });
