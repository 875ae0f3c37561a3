// The provider of Solid 2.0, and hooks outside of a provider.
import { createComponent, createRoot, createSignal } from 'solid-js';
import { render } from 'solid-js/web';
import { Controller } from 'signalbox';
import { Provider, useCancelling, useController, useDLE, useQuery } from 'signalbox/solid';
import { expect, onTestFinished, test } from 'vitest';
import { element } from '../contract/solidViews.ts';
import { Todo, line, world } from '../contract/world.ts';

test('[H1] a hook outside of a provider throws an error that names the fix', () => {
  const { getTodo } = world();
  const inRoot = (hook: () => unknown) => () => createRoot(() => void hook());
  expect(inRoot(() => useController())).toThrow(/A1.*useController.*outside a Provider/);
  for (const args of [{ id: 1 }, null])
    expect(inRoot(() => useCancelling(getTodo, () => args))).toThrow(/A1.*useCancelling.*outside/);
});

const holding = async (title: string): Promise<Controller> => {
  const controller = new Controller();
  await controller.set(Todo, { id: 1 }, { id: 1, title });
  return controller;
};

test('[H1] a Provider given another controller shows the data of that controller, and fetches with it', async () => {
  const { getTodo } = world();
  const [first, second] = [await holding('first'), await holding('second')];
  const [controller, setController] = createSignal<Controller | undefined>(first);
  const root = document.createElement('main');
  const met: Controller[] = [];
  const Title = () => {
    met.push(useController());
    const todo = useQuery(Todo, () => ({ id: 1 }));
    const other = useDLE(getTodo, () => ({ id: 2 }));
    return [
      element('p', () => todo()?.title),
      element('b', () => (other.loading ? 'wait' : line(other.data))),
    ];
  };
  const dispose = render(
    () =>
      createComponent(Provider, {
        get controller() {
          return controller();
        },
        get children() {
          return createComponent(Title, {});
        },
      }),
    root,
  );
  onTestFinished(dispose);
  await expect.poll(() => root.textContent).toBe('firstt2 by bob');
  setController(second);
  await expect.poll(() => root.textContent).toBe('secondt2 by bob');
  await second.set(Todo, { id: 1 }, { title: 'changed' });
  await first.set(Todo, { id: 1 }, { title: 'no longer shown' });
  await expect.poll(() => root.textContent).toBe('changedt2 by bob');
  setController(undefined);
  await Promise.resolve();
  expect(met).toEqual([first, second]);
});
