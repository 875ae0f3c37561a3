// The result of renderDataHook with fake timers and cleanup, in every framework.
import type { Controller } from 'signalbox';
import { fakeClock } from 'signalbox/testing';
import type { Fixture } from 'signalbox/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Todo, TodoResource } from './hookSuite.ts';
import type { Driver } from './hookSuite.ts';

interface Params {
  readonly id: number;
}

const fixtures: readonly Fixture[] = [
  { endpoint: TodoResource.get, response: ({ id }: Params) => ({ id, title: 'read' }) },
  {
    endpoint: TodoResource.partialUpdate,
    response: ({ id }: Params, body: object) => ({ id, ...body }),
  },
];
const delayed = fixtures.map((fixture) => ({ ...fixture, delay: 200 }));
const initialProps = { id: 1 };
const edited = { title: 'written' };

export function timingSuite<Wrapper>(driver: Driver<Wrapper>): void {
  const { renderDataHook, makeRenderDataHook, useTodo, shown } = driver;
  const titleIn = ({ result }: { result: { current: unknown } }) => shown(result.current)?.title;
  const mounted = (resolverFixtures = fixtures, more = {}) =>
    renderDataHook(useTodo, { initialProps, resolverFixtures, ...more });
  let said: readonly unknown[][] = [];
  beforeEach(() => {
    said = vi.spyOn(console, 'error').mockImplementation(() => {}).mock.calls;
  });

  describe('an awaited verb', () => {
    const act = (isAct: boolean) => Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', isAct);
    afterEach(() => {
      act(false);
      expect(said).toEqual([]);
    });

    test.each([false, true])(
      '[T1] after an awaited fetch, the result of a waiting hook has the data (act environment: %s)',
      async (isAct) => {
        act(isAct);
        const hook = mounted();
        await hook.controller.fetch(TodoResource.get, { id: 1 });
        expect(titleIn(hook)).toBe('read');
      },
    );

    test.each([false, true])(
      '[T1] after an awaited mutation or set, the result of the hook has the change (act environment: %s)',
      async (isAct) => {
        act(isAct);
        const hook = mounted();
        await hook.waitFor(() => titleIn(hook) === 'read');
        await hook.controller.fetch(TodoResource.partialUpdate, { id: 1 }, edited);
        expect(titleIn(hook)).toBe('written');
        await hook.controller.set(Todo, { id: 1 }, { title: 'pushed' });
        expect(titleIn(hook)).toBe('pushed');
      },
    );

    test('[T1] after several fetches awaited together, the result of the hook has their data', async () => {
      const hook = mounted();
      // oxlint-disable-next-line typescript/unbound-method -- verbs may be taken out of a controller
      const { fetch } = hook.controller;
      await Promise.all([
        fetch(TodoResource.get, { id: 1 }),
        fetch(TodoResource.get, { id: 2 }),
        fetch(TodoResource.partialUpdate, { id: 1 }, edited),
      ]);
      expect(titleIn(hook)).toBe('written');
    });
  });

  describe('under fake timers', () => {
    afterEach(() => {
      vi.useRealTimers();
    });

    test.each([{}, { shouldAdvanceTime: true }, { toFake: ['Date' as const] }])(
      '[T1] under fake timers, waitFor resolves, or rejects after its timeout: %o',
      async (config) => {
        vi.useFakeTimers(config);
        const hook = mounted(delayed);
        await hook.waitFor(() => expect(titleIn(hook)).toBe('read'));
        const update = hook.controller.fetch(TodoResource.partialUpdate, { id: 1 }, edited);
        await hook.waitFor(() => titleIn(hook) === 'written');
        await update;
        const refused = hook.waitFor(() => false, { timeout: 50 });
        await expect(refused).rejects.toThrow('50 ms');
      },
    );

    test.each([{}, { shouldAdvanceTime: true }])(
      '[T1] under fake timers, waitFor advances no stopped clock: %o',
      async (config) => {
        vi.useFakeTimers(config);
        const clock = fakeClock();
        const hook = mounted(delayed, { clock });
        const early = hook.waitFor(() => titleIn(hook) === 'read', { timeout: 50 });
        await expect(early).rejects.toThrow('50 ms');
        clock.advance(200);
        await hook.waitFor(() => titleIn(hook) === 'read');
      },
    );

    test('[T1] under fake timers, allSettled advances the delays of fixtures', async () => {
      vi.useFakeTimers();
      const hook = mounted(delayed);
      await hook.allSettled();
      expect(titleIn(hook)).toBe('read');
    });
  });

  describe('cleaning up', () => {
    const made = makeRenderDataHook();
    const controllers: Controller[] = [];

    test('[T1] the components of makeRenderDataHook are mounted during their test', async () => {
      const hook = made(useTodo, { initialProps, resolverFixtures: fixtures });
      // also a renderDataHook that is made inside of a test
      const other = makeRenderDataHook()(useTodo, { initialProps, resolverFixtures: fixtures });
      controllers.push(hook.controller, other.controller);
      await hook.waitFor(() => titleIn(hook) === 'read');
      await other.waitFor(() => titleIn(other) === 'read');
      expect(document.body.children).toHaveLength(2);
    });

    test('[T1] after that test, the components of makeRenderDataHook are unmounted and their controllers reset', () => {
      expect(document.body.children).toHaveLength(0);
      expect(controllers.map((controller) => controller.get(Todo, { id: 1 }))).toEqual([
        undefined,
        undefined,
      ]);
    });

    test('[T1] cleanup of makeRenderDataHook unmounts each hook that it rendered', () => {
      made(useTodo, { initialProps, resolverFixtures: fixtures });
      made(useTodo, { initialProps, resolverFixtures: fixtures });
      expect(document.body.children).toHaveLength(2);
      made.cleanup();
      expect(document.body.children).toHaveLength(0);
    });
  });
}
