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
import { connectDevTools } from 'signalbox/devtools';
import { openPanel } from 'signalbox/devtools/panel';
import { connectEventSource, connectWebSocket } from 'signalbox/streams';
import { offline } from 'signalbox/offline';
import { persist } from 'signalbox/persist';
import { serverDataScript } from 'signalbox/ssr';
import { connectTabs } from 'signalbox/tabs';
import { mockController } from 'signalbox/testing';
import * as preactTesting from 'signalbox/testing/preact';
import * as reactTesting from 'signalbox/testing/react';
import * as solidTesting from 'signalbox/testing/solid';
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
export const optional = [connectDevTools, openPanel, serverDataScript, mockController];
export const outside = [connectEventSource, connectWebSocket, connectTabs, offline, persist];
export const kits = [preactTesting, reactTesting, solidTesting].map((kit) => kit.renderDataHook);
const todos = createResource({ path: '/todos/:id', schema: Todo });
export const titles = createHandlers(todos, [{ id: 1, title: 'a' }]).rows.map(({ title }) => title);
