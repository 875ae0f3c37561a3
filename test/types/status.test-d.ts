/** Types of the hooks beside data: they follow from the endpoint. */
import { Collection, createResource, RestEndpoint } from 'signalbox';
import type { UnknownError } from 'signalbox';
import * as preact from 'signalbox/preact';
import * as react from 'signalbox/react';
import * as solid from 'signalbox/solid';
import { expectTypeOf, test } from 'vitest';
import { Post } from '../setup/samples.ts';

const Posts = createResource({
  path: '/users/:user/posts/:id',
  schema: Post,
  paginationField: 'cursor',
  searchParams: {} as { tag?: string } | undefined,
});
const getFeed = new RestEndpoint({
  path: '/feed',
  searchParams: {} as { tag?: string } | undefined,
  schema: { results: new Collection([Post]), next: '' },
  paginationField: 'cursor',
});
const id = { user: 1, id: 1 };

test('[H9] useStatus takes the arguments of a read, and no mutation', () => {
  expectTypeOf(react.useStatus<typeof Posts.get>).returns.toEqualTypeOf<react.Status>();
  void (() => react.useStatus(Posts.get, id));
  void (() => preact.useStatus(Posts.get, null));
  void (() => solid.useStatus(Posts.get, () => id));
  // @ts-expect-error the id is missing
  void (() => react.useStatus(Posts.get, { user: 1 }));
  // @ts-expect-error a mutation
  void (() => react.useStatus(Posts.update, id, { title: '' }));
  // @ts-expect-error arguments are functions
  void (() => solid.useStatus(Posts.get, id));
});

test('[H9] useIsFetching returns a number, in Solid an accessor of a number', () => {
  expectTypeOf(react.useIsFetching).returns.toEqualTypeOf<number>();
  expectTypeOf(preact.useIsFetching).returns.toEqualTypeOf<number>();
  expectTypeOf(solid.useIsFetching).returns.returns.toEqualTypeOf<number>();
  void (() => react.useIsFetching(Posts.getList));
});

test('[H9] useMutation has the arguments and the data of its endpoint', () => {
  const both = () => [react.useMutation(Posts.update), preact.useMutation(Posts.update)] as const;
  const drawn = () => {
    const [mutation, other] = both();
    expectTypeOf(other).toEqualTypeOf(mutation);
    expectTypeOf(mutation.data).toEqualTypeOf<Post | undefined>();
    expectTypeOf(mutation.error).toEqualTypeOf<UnknownError | undefined>();
    expectTypeOf(mutation.mutateAsync(id, { title: '' })).resolves.toEqualTypeOf<Post>();
    expectTypeOf(mutation.mutate(id, { title: '' })).toEqualTypeOf<void>();
    const [variables] = mutation.variables ?? [];
    expectTypeOf(variables?.user).toEqualTypeOf<string | number | undefined>();
    // @ts-expect-error an id is text or a number
    mutation.mutate({ user: 1, id: new Date() }, { title: '' });
  };
  void drawn;
  void (() =>
    solid.useMutation(Posts.update, {
      onSuccess(data, [params, body]) {
        expectTypeOf(data).toEqualTypeOf<Post>();
        expectTypeOf(params.id).toEqualTypeOf<string | number>();
        expectTypeOf(body).toExtend<object>();
      },
      onError: (error) => expectTypeOf(error).toEqualTypeOf<UnknownError>(),
      onSettled: (data) => expectTypeOf(data).toEqualTypeOf<Post | undefined>(),
    }));
  // @ts-expect-error no option
  void (() => react.useMutation(Posts.update, { onSucces() {} }));
});

test('[H9] useInfinite takes the params of the list and those from getNextPageParams', () => {
  const drawn = () => {
    const feed = react.useInfinite(
      getFeed.getPage,
      { tag: 'a' },
      {
        getNextPageParams(data, _all, last) {
          expectTypeOf(data.next).toEqualTypeOf<string>();
          expectTypeOf(last.tag).toExtend<string | undefined>();
          return data.next ? { cursor: data.next } : undefined;
        },
      },
    );
    expectTypeOf(feed.data?.results).toEqualTypeOf<Post[] | undefined>();
    expectTypeOf(feed.fetchNextPage()).toEqualTypeOf<Promise<void>>();
  };
  void drawn;
  const next = () => ({ cursor: 2 });
  void (() =>
    solid.useInfinite(Posts.getList.getPage, () => ({ user: 1 }), { getNextPageParams: next }));
  void ((user?: number) =>
    react.useInfinite(Posts.getList.getPage, user ? { user } : null, { getNextPageParams: next }));
  // @ts-expect-error neither names the user
  void (() => react.useInfinite(Posts.getList.getPage, {}, { getNextPageParams: next }));
  // @ts-expect-error a page adds no such param
  void (() => react.useInfinite(getFeed.getPage, {}, { getNextPageParams: () => ({ page: 2 }) }));
  // @ts-expect-error the list has no such param
  void (() => react.useInfinite(getFeed.getPage, { page: 2 }, { getNextPageParams: next }));
});
