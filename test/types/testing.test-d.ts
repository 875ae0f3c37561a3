// The testing kit: the types of fixtures, of their shared data, and of the result of a hook.
import { createResource } from 'signalbox';
import { useSuspense } from 'signalbox/react';
import { mockController } from 'signalbox/testing';
import type { Fixture, Interceptor } from 'signalbox/testing';
import { renderDataHook } from 'signalbox/testing/react';
import { expectTypeOf, test } from 'vitest';
import { Todo } from '../setup/samples.ts';

const TodoResource = createResource({ path: '/todos/:id', schema: Todo });

test('[T1] `this` in functions of fixtures has the type of getInitialInterceptorData', () => {
  mockController({
    getInitialInterceptorData: () => ({ count: 0 }),
    fixtures: [
      {
        endpoint: TodoResource.get,
        response({ id }: { id: number }) {
          expectTypeOf(this.count).toBeNumber();
          return { id, count: this.count++ };
        },
        delay: ({ id }: { id: number }) => id,
      },
    ],
  });
  expectTypeOf<Interceptor>().toExtend<Fixture>();
  // @ts-expect-error -- an interceptor computes its answer
  const still: Interceptor = { endpoint: TodoResource.get, response: { id: 1 } };
  void still;
});

test('[T1] renderDataHook infers the result and the props of the hook', () => {
  const hook = renderDataHook(({ id }: { id: number }) => useSuspense(TodoResource.get, { id }), {
    initialProps: { id: 1 },
    resolverFixtures: [
      {
        endpoint: TodoResource.get,
        response() {
          expectTypeOf(this).toEqualTypeOf<{ title: string }>();
          return this;
        },
      },
    ],
    getInitialInterceptorData: () => ({ title: '' }),
  });
  expectTypeOf(hook.result.current.title).toBeString();
  hook.rerender({ id: 2 });
  // @ts-expect-error -- other props
  hook.rerender({ name: 'x' });
});
