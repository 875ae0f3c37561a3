// The testing kit of Solid.
import { createComponent, mergeProps } from 'solid-js';
import { Provider, useSuspense } from 'signalbox/solid';
import type { SuspenseAccessor } from 'signalbox/solid';
import {
  makeRenderDataHook,
  MockProvider,
  MockResolver,
  renderDataHook,
} from 'signalbox/testing/solid';
import type { Wrapper } from 'signalbox/testing/solid';
import { hookSuite, TodoResource } from '../testing/hookSuite.ts';
import type { Driver } from '../testing/hookSuite.ts';
import { timingSuite } from '../testing/timingSuite.ts';
import type { Todo } from '../testing/hookSuite.ts';

const driver: Driver<Wrapper> = {
  renderDataHook,
  makeRenderDataHook: () => makeRenderDataHook(Provider),
  useTodo: (props) => useSuspense(TodoResource.get, () => ({ id: props.id })),
  shown: (current) => (current as SuspenseAccessor<Todo>).latest,
  failure: ({ current }) => (current as SuspenseAccessor<Todo>).error,
  MockResolver: (props) => (page) => createComponent(MockResolver, mergeProps(props, page)),
  MockProvider: (props) => (page) => createComponent(MockProvider, mergeProps(props, page)),
};
hookSuite(driver);
timingSuite(driver);
