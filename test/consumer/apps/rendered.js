// An app as bundlers get it: a resource, a hook, a page.
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { Controller, createResource, Entity } from 'signalbox';
import { Provider, useSuspense } from 'signalbox/react';

class Todo extends Entity {
  title = '';
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
const Title = () => createElement('h1', null, useSuspense(TodoResource.get, { id: 5 }).title);
const controller = new Controller();
void controller.setResponse(TodoResource.get, { id: 5 }, { id: 5, title: 'bundled' });
console.log(renderToString(createElement(Provider, { controller }, createElement(Title))));
