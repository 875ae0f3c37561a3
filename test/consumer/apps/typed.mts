// The public names, as a typed ES module sees them.
import {
  Collection,
  Controller,
  Delete,
  Endpoint,
  Entity,
  NetworkError,
  RestEndpoint,
  createResource,
} from 'signalbox';
import * as preact from 'signalbox/preact';
import * as react from 'signalbox/react';
import * as solid from 'signalbox/solid';
import { createHandlers } from 'signalbox/testing/msw';

export const controller: Controller = new Controller();
export class Todo extends Entity {
  title = '';
}
export const definitions = [
  Collection,
  Delete,
  Endpoint,
  NetworkError,
  RestEndpoint,
  createResource,
];
export const readers = [preact, react, solid].map((view) => [view.useSuspense, view.useController]);
export const providers = [preact, react, solid].map((view) => [view.Provider, view.DataProvider]);
const todos = createResource({ path: '/todos/:id', schema: Todo });
export const titles = createHandlers(todos, [{ id: 1, title: 'a' }]).rows.map(({ title }) => title);
