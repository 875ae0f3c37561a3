/** The test kit, as the guide to unit tests uses it. */
import type { ReactNode } from 'react';
import { CacheProvider, DataProvider, Entity, resource, useSuspense } from 'signalbox/data-client';
import type { Controller } from 'signalbox/data-client';
import {
  act,
  makeRenderDataHook,
  makeRenderRestHook,
  mockInitialState,
  MockResolver,
  renderDataHook,
} from 'signalbox/data-client/test';
import type {
  ErrorFixture,
  Fixture,
  Interceptor,
  SuccessFixture,
} from 'signalbox/data-client/test';

class Article extends Entity {
  id = 0;
  title = '';
}
const ArticleResource = resource({ path: '/articles/:id', schema: Article });

const list: SuccessFixture = {
  endpoint: ArticleResource.getList,
  args: [],
  response: [{ id: 5, title: 'hi' }],
};
const failed: ErrorFixture = {
  endpoint: ArticleResource.get,
  args: [{ id: 5 }],
  response: { message: 'Bad', status: 400, name: 'Not Found' },
  error: true,
};
const fixtures: Record<string, (Fixture | Interceptor)[]> = {
  full: [list, failed],
  loading: [],
  dynamic: [
    {
      endpoint: ArticleResource.getList.push,
      response: (body: any) => ({ id: Math.random(), ...body }),
      delay: 150,
    },
    {
      endpoint: ArticleResource.partialUpdate,
      fetchResponse(input, init) {
        return { ...JSON.parse(init.body as string) };
      },
      delay: () => 5,
    },
  ],
};
const counter: Interceptor<{ count: number }> = {
  endpoint: ArticleResource.partialUpdate,
  response({ id }) {
    return { id, count: ++this.count };
  },
};

export async function testHooks() {
  const { result, rerender, waitForNextUpdate, controller, cleanup, allSettled } = renderDataHook(
    ({ id }: { id: number }) => useSuspense(ArticleResource.get, { id }),
    { initialProps: { id: 5 }, initialFixtures: [list], resolverFixtures: fixtures.dynamic },
  );
  await waitForNextUpdate();
  result.current.title.toUpperCase();
  result.error?.message.toUpperCase();
  rerender({ id: 6 });
  await act(async () => {
    await controller.fetch(ArticleResource.partialUpdate, { id: 5 }, { title: 'x' });
    await controller.resetEntireStore();
  });
  await allSettled();
  cleanup();
  const ctrl: Controller = controller;
  void ctrl;
  const render = makeRenderDataHook(DataProvider);
  render(() => useSuspense(ArticleResource.getList), { initialFixtures: [list] });
  makeRenderRestHook(CacheProvider)(() => 5);
}

export function Story({ children }: { children: ReactNode }) {
  return (
    <DataProvider initialState={mockInitialState([list])}>
      <MockResolver fixtures={fixtures.full}>
        <MockResolver
          fixtures={[counter]}
          getInitialInterceptorData={() => ({ count: 0 })}
          silenceMissing
        >
          {children}
        </MockResolver>
      </MockResolver>
    </DataProvider>
  );
}
