// `reset()` in a listener of `error`, as in docs/guides/authentication.md, while readers are mounted.
import { replay, transaction } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo, refusal, refused, world } from '../setup/world.ts';

const unauthorized = () => refusal(401);

function stage() {
  const w = world();
  const { controller } = w;
  const list = w.read('list', [Todo]);
  const get = w.read('get', Todo);
  const config = w.read('config', { theme: '' });
  let resets = 0;
  controller.on('reset', () => void resets++);
  controller.on('error', ({ error }) => {
    if (error.status === 401) controller.reset();
  });
  const asked = (name: string) => w.calls.filter((call) => call.name === name);
  const mount = (endpoint: typeof list | typeof get | typeof config) => {
    const view = controller.view(endpoint as typeof list, {});
    const leave = view.retain();
    // as an adapter does after each notification
    const stop = view.listen(() => void view.ensure(false));
    return { view, leave: () => (stop(), leave()) };
  };
  return { w, controller, list, get, config, asked, mount, resets: () => resets };
}

test('[O8] a reset of the store on a 401 leaves each mounted reader with the 401, after one more request', async () => {
  const { w, controller, list, get, asked, mount, resets } = stage();
  await controller.setResponse(list, {}, [{ id: 1 }]);
  await controller.setResponse(get, {}, { id: 1 });
  const readers = [mount(list), mount(get)];
  controller.fetch(list, {}).catch(() => {});
  await w.call().fail(unauthorized());
  for (let at = 1; at < w.calls.length; at++) await w.call(at).fail(unauthorized());
  expect(asked('list')).toHaveLength(2);
  expect(asked('get')).toHaveLength(1);
  for (const { view } of readers) {
    const { status, error } = view.result.peek();
    expect(status).toBe('error');
    expect(error).toMatchObject({ status: 401 });
  }
  expect(resets()).toBe(1);
  for (const { leave } of readers) leave();
});

test('[O8] a reset of the store on a 401 leaves a public reader with data, and the other reader with the error', async () => {
  const { w, controller, list, config, asked, mount } = stage();
  await controller.setResponse(list, {}, [{ id: 1 }]);
  await controller.setResponse(config, {}, { theme: 'light' });
  const readers = [mount(config), mount(list)];
  controller.fetch(list, {}).catch(() => {});
  const answer = (at: number) => {
    const call = w.call(at);
    return call.name === 'config' ? call.answer({ theme: 'dark' }) : call.fail(unauthorized());
  };
  for (let at = 0; at < w.calls.length; at++) await answer(at);
  expect(asked('list')).toHaveLength(2);
  expect(readers.map(({ view }) => view.result.peek().status)).toEqual(['success', 'error']);
  for (const { leave } of readers) leave();
});

test('[O8] a suspended reader gets the 401 after a reset of the store and one more request', async () => {
  const { w, controller, list, asked } = stage();
  // each render takes the view of the key
  const render = () => void controller.view(list, {}).ensure(true);
  render();
  for (let at = 0; at < w.calls.length; at++) {
    await w.call(at).fail(unauthorized());
    render();
  }
  expect(asked('list')).toHaveLength(2);
  expect(controller.getError(list, {})).toMatchObject({ status: 401 });
});

test('[O8] after a log in the next 401 resets the store again', async () => {
  const { w, controller, list, mount, resets } = stage();
  await controller.setResponse(list, {}, [{ id: 1 }]);
  const { view, leave } = mount(list);
  controller.fetch(list, {}).catch(() => {});
  await w.call().fail(unauthorized());
  await w.call().answer([{ id: 2 }]);
  expect(view.result.peek().status).toBe('success');
  controller.fetch(list, {}).catch(() => {});
  await w.call().fail(unauthorized());
  expect(resets()).toBe(2);
  expect(controller.getResponse(list, {}).data).toBeUndefined();
  leave();
});

test('[O8] a 401 of a key without a reader at the first reset resets the store again', async () => {
  const { w, controller, list, get, mount, resets } = stage();
  const { leave } = mount(list);
  controller.fetch(list, {}).catch(() => {});
  await w.call().fail(unauthorized());
  await controller.setResponse(list, {}, [{ id: 1 }]);
  const failed = refused(controller.fetch(get, {}));
  await w.call().fail(unauthorized());
  await failed;
  expect(resets()).toBe(2);
  expect(controller.getResponse(list, {}).data).toBeUndefined();
  leave();
});

test('[O8] a call of reset outside of listeners resets the store again after a reset on a 401', async () => {
  const { w, controller, list, mount, resets } = stage();
  const { leave } = mount(list);
  controller.fetch(list, {}).catch(() => {});
  await w.call().fail(unauthorized());
  controller.reset();
  expect(resets()).toBe(2);
  leave();
});

test('[O8] two tabs that reset the store on a 401 send four requests at most, and show the 401', async () => {
  const [a, b] = [stage(), stage()];
  a.controller.on('commit', (commit) => void (commit.replayed ?? replay(b.controller, commit)));
  b.controller.on('commit', (commit) => void (commit.replayed ?? replay(a.controller, commit)));
  const readers = [a.mount(a.list), b.mount(b.list)];
  await a.controller.setResponse(a.list, {}, [{ id: 1 }]);
  a.controller.fetch(a.list, {}).catch(() => {});
  const answered = new Set<unknown>();
  for (let round = 0; round < 30; round++)
    for (const call of [...a.w.calls, ...b.w.calls]) {
      if (answered.has(call)) continue;
      answered.add(call);
      await call.fail(unauthorized());
    }
  expect(a.w.calls.length + b.w.calls.length).toBeLessThanOrEqual(4);
  for (const { view, leave } of readers) {
    expect(view.result.peek().error).toMatchObject({ status: 401 });
    leave();
  }
});

test('[O8] a mutation that fails with 401 resets the store once', async () => {
  const { w, controller, list, asked, mount, resets } = stage();
  await controller.setResponse(list, {}, [{ id: 1 }]);
  const { leave } = mount(list);
  const change = w.mutation('change', Todo);
  const failed = refused(transaction(controller, ({ fetch }) => fetch(change, {})));
  await w.call().fail(unauthorized());
  await failed;
  for (let at = 1; at < w.calls.length; at++) await w.call(at).fail(unauthorized());
  expect(resets()).toBe(1);
  expect(asked('list')).toHaveLength(1);
  leave();
});
