// The testing kit of React.
import { render } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, test } from 'vitest';
import type { Fixture } from 'signalbox/testing';
import { Provider, useSuspense } from 'signalbox/react';
import {
  makeRenderDataHook,
  MockProvider,
  MockResolver,
  renderDataHook,
} from 'signalbox/testing/react';
import type { Wrapper } from 'signalbox/testing/react';
import { hookSuite, Todo, TodoResource } from '../testing/hookSuite.ts';
import type { Driver } from '../testing/hookSuite.ts';
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

test('[T1] waitForNextUpdate resolves when the hook returns another value', async () => {
  const args = [{ id: 1 }];
  const initialFixtures = [{ endpoint: TodoResource.get, args, response: { id: 1, title: 'a' } }];
  const useTitle = () => useSuspense(TodoResource.get, { id: 1 }).title;
  const { controller, result, waitForNextUpdate } = renderDataHook(useTitle, { initialFixtures });
  const next = waitForNextUpdate();
  await controller.set(Todo, { id: 1, title: 'b' });
  await next;
  expect(result.current).toBe('b');
  renderDataHook.cleanup();
});

test('[T1] MockResolver below a Suspense boundary keeps its store while its children are suspended', async () => {
  let asked = 0;
  const response = ({ id }: { id: number }) => ({ id, title: `asked ${++asked}` });
  const fixtures = [{ endpoint: TodoResource.get, response }];
  const Title = () => <p>{useSuspense(TodoResource.get, { id: 1 }).title}</p>;
  const screen = render(
    <Suspense fallback={<i>loading</i>}>
      <MockResolver fixtures={fixtures}>
        <Title />
      </MockResolver>
    </Suspense>,
  );
  expect(await screen.findByText('asked 1')).toBeDefined();
  expect(asked).toBe(1);
});
