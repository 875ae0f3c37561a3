// Mocks a server made from a resource with what is installed, loaded both ways.
import { createRequire } from 'node:module';
import { setupServer } from 'msw/node';
import { Controller, createResource, Entity } from 'signalbox';
import { createHandlers } from 'signalbox/testing/msw';

class Todo extends Entity {
  id = 0;
  title = '';
}
const todos = createResource({ urlPrefix: 'http://api.test', path: '/todos/:id', schema: Todo });
const server = setupServer(...createHandlers(todos, [{ id: 1, title: 'packed' }]));
server.listen({ onUnhandledRequest: 'error' });
const todo = await new Controller().fetch(todos.get, { id: 1 });
server.close();
const required = createRequire(import.meta.url)('signalbox/testing/msw');
console.log(JSON.stringify([todo.title, required.createHandlers === createHandlers]));
