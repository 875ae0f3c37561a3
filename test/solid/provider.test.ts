// The controller of a provider in Solid.
import { createComponent, createSignal, onCleanup } from 'solid-js';
import { render } from 'solid-js/web';
import { Controller } from 'signalbox';
import { Provider, useController, useDLE, useQuery } from 'signalbox/solid';
import { expect, onTestFinished, test } from 'vitest';
import { Todo, line, world } from '../contract/world.ts';
import { element, quiet } from './mount.ts';

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
  let ended = 0;
  const Title = () => {
    met.push(useController());
    onCleanup(() => ended++);
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
  await quiet();
  expect(root.textContent).toBe('changedt2 by bob');
  setController(second);
  setController(undefined);
  await quiet();
  expect(met).toEqual([first, second]);
  expect(ended).toBe(1);
});

test('[H1] a provider without a controller prop keeps the created controller', async () => {
  const [controller, setController] = createSignal<Controller | undefined>();
  const met: Controller[] = [];
  const Child = () => {
    met.push(useController());
    return null;
  };
  const dispose = render(
    () =>
      createComponent(Provider, {
        get controller() {
          return controller();
        },
        get children() {
          return createComponent(Child, {});
        },
      }),
    document.createElement('main'),
  );
  onTestFinished(dispose);
  const other = new Controller();
  setController(other);
  await quiet();
  expect(met[0]).toBeInstanceOf(Controller);
  expect(met).toEqual([met[0], other]);
  expect(met[0]).not.toBe(other);
});
