/** @jsxImportSource preact */
// The testing kit of Preact.
import type { Fixture } from 'signalbox/testing';
import { Provider, useSuspense } from 'signalbox/preact';
import {
  makeRenderDataHook,
  MockProvider,
  MockResolver,
  renderDataHook,
} from 'signalbox/testing/preact';
import type { Wrapper } from 'signalbox/testing/preact';
import { hookSuite, TodoResource } from '../testing/hookSuite.ts';
import type { Driver, Todo } from '../testing/hookSuite.ts';
import { timingSuite } from '../testing/timingSuite.ts';

const driver: Driver<Wrapper> = {
  renderDataHook,
  makeRenderDataHook: () => makeRenderDataHook(Provider),
  useTodo: ({ id }) => useSuspense(TodoResource.get, { id }),
  shown: (current) => current as Todo | undefined,
  failure: ({ error }) => error,
  MockResolver: (props) => (page) => <MockResolver {...props}>{page.children}</MockResolver>,
  MockProvider: (props: { fixtures: readonly Fixture[] }) => (page) => (
    <MockProvider {...props}>{page.children}</MockProvider>
  ),
};
hookSuite(driver);
timingSuite(driver);
