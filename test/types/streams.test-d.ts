/** Types of streams: the messages, the accepted classes of platforms, and the required options. */
import { EventSource as NodeEventSource } from 'eventsource';
import { Controller, createResource } from 'signalbox';
import type { ReadonlySignal } from 'signalbox';
import { connectEventSource, connectWebSocket } from 'signalbox/streams';
import type { WebSocketOptions } from 'signalbox/streams';
import { WebSocket as UndiciSocket } from 'undici';
import { expectTypeOf, test } from 'vitest';
import { WebSocket as WsSocket } from 'ws';
import { Todo } from '../setup/samples.ts';

interface Message {
  readonly id: number;
}
const controller = new Controller();
const todos = createResource({ path: '/todos/:id', schema: Todo });

test('[P4] messages have the type that `receive` declares, or the type parameter of the connection', () => {
  connectEventSource(controller, '/events', {
    receive(message: Message, { set, type }) {
      expectTypeOf(type).toEqualTypeOf<string>();
      set(Todo, message, (todo) => ({ title: todo.title.trim() }));
      // @ts-expect-error -- of its class
      set(Todo, message, (todo) => ({ title: todo.titel }));
    },
    catchUp: [todos, todos.getList],
  });
  const stream = connectWebSocket<Message>(controller, new URL('ws://api.test'), {
    receive: (message) => void expectTypeOf(message).toEqualTypeOf<Message>(),
    parse: (data) => ({ id: Number(data) }),
    catchUp: false,
  });
  expectTypeOf(stream.status).toEqualTypeOf<
    ReadonlySignal<'connecting' | 'open' | 'waiting' | 'following' | 'closed'>
  >();
  expectTypeOf(stream.send('x')).toEqualTypeOf<boolean>();
});

test('[P4] EventSource and WebSocket classes of browsers, undici and ws are accepted', () => {
  const receive = () => {};
  expectTypeOf(WebSocket).toExtend<NonNullable<WebSocketOptions<Message>['WebSocket']>>();
  for (const Source of [EventSource, NodeEventSource])
    connectEventSource(controller, async (id) => id, {
      receive,
      catchUp: false,
      EventSource: Source,
    });
  for (const Socket of [WebSocket, UndiciSocket, WsSocket])
    connectWebSocket(controller, async () => '', { receive, catchUp: false, WebSocket: Socket });
});

test('[P4] catchUp is required', () => {
  // @ts-expect-error -- catchUp is missing
  connectEventSource(controller, '/events', { receive() {} });
  // @ts-expect-error -- sockets alone
  connectEventSource(controller, '/events', { receive() {}, catchUp: false, onOpen() {} });
  const stream = connectEventSource(controller, '/events', { receive() {}, catchUp: false });
  expectTypeOf(stream).not.toHaveProperty('send');
});
