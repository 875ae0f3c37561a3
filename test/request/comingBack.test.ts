/** Stale data of mounted readers are refetched when the user or the network comes back. */
import { subscribe } from 'signalbox';
import type { ControllerOptions, Policies } from 'signalbox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Todo, refusal, refused, settled, watch, world } from '../setup/world.ts';

const params = { id: 1 };

/** A mounted reader with expired data. */
async function expired(options: Policies = {}, policies: Omit<ControllerOptions, 'clock'> = {}) {
  const w = world(policies);
  const reply = () => ({ id: 1, title: `${w.calls.length}` });
  const get = w.read('get', Todo, { reply, ...options });
  await w.controller.fetch(get, params);
  const view = w.controller.view(get, params);
  const release = view.retain();
  w.clock.advance(60_001);
  return { w, get, view, release };
}

test.each(['focus', 'reconnect'] as const)(
  '[C5] %s refetches stale mounted data, and shows them meanwhile',
  async (what) => {
    const { w, view } = await expired();
    const title = watch(() => view.result.value.data?.title);
    w.page.comeBack(what);
    expect(w.calls).toHaveLength(2);
    await settled();
    expect(title.seen).toEqual(['1', '2']);
  },
);

test.each(['focus', 'reconnect'] as const)(
  '[C5] %s does not refetch fresh mounted data',
  async (what) => {
    const { w } = await expired({ dataExpiryLength: 60_001 });
    w.page.comeBack(what);
    expect(w.calls).toHaveLength(1);
  },
);

test('[C5] focus does not refetch stale data without a mounted reader', async () => {
  const { w, release } = await expired();
  const other = w.controller.view(w.read('other', Todo), params).retain();
  release();
  w.page.comeBack('focus');
  expect(w.log).toEqual(['get {"id":1}', 'other {"id":1}']);
  other();
});

test('[F4] focus and reconnect refetch a key with several readers once', async () => {
  const { w, view } = await expired();
  view.retain();
  w.page.comeBack('focus');
  w.page.comeBack('reconnect');
  expect(w.calls).toHaveLength(2);
});

test.each([
  ['focus', { refetchOnFocus: false }],
  ['reconnect', { refetchOnReconnect: false }],
] as const)(
  '[E3] refetching on %s can be turned off on the endpoint and on the controller',
  async (what, off) => {
    const other = what === 'focus' ? 'reconnect' : 'focus';
    for (const { w } of [await expired(off), await expired({}, off)]) {
      w.page.comeBack(what);
      expect(w.calls).toHaveLength(1);
      w.page.comeBack(other);
      expect(w.calls).toHaveLength(2);
    }
  },
);

test('[F4] focus without a network refetches nothing, and the next reconnect refetches', async () => {
  const { w } = await expired();
  w.page.offline = true;
  w.page.comeBack('focus');
  expect(w.calls).toHaveLength(1);
  w.page.comeBack('reconnect');
  expect(w.calls).toHaveLength(2);
});

test('[C7] focus refetches a mounted key after its error has expired', async () => {
  const w = world();
  let fine = false;
  const reply = () => (fine ? { id: 1 } : Promise.reject(refusal(404)));
  const view = w.controller.view(w.read('get', Todo, { reply }), params);
  await view.ensure(true);
  view.retain();
  fine = true;
  w.clock.advance(1_001);
  w.page.comeBack('focus');
  await settled();
  expect(view.result.value.status).toBe('success');
});

/** A mounted reader after a failed first request; the next ones succeed, until `down` is set. */
async function failing(options: Policies = {}) {
  const w = world();
  const server = { down: true };
  const reply = () =>
    server.down ? Promise.reject(refusal(503)) : { id: 1, title: `${w.calls.length}` };
  const get = w.read('get', Todo, { reply, ...options });
  const view = w.controller.view(get, params);
  await view.ensure(true);
  const release = view.retain();
  server.down = false;
  return { w, get, view, release, server };
}

test.each(['focus', 'reconnect'] as const)(
  '[F8] %s within the expiry of an error refetches once, when the error has expired',
  async (what) => {
    const { w, view } = await failing();
    w.clock.advance(300);
    w.page.comeBack(what);
    w.clock.advance(700);
    expect(w.calls).toHaveLength(1);
    w.clock.advance(1);
    expect(w.calls).toHaveLength(2);
    await settled();
    expect(view.result.value).toMatchObject({ status: 'success', data: { title: '2' } });
    w.clock.advance(100_000);
    expect([w.calls.length, w.clock.waiting]).toEqual([2, 0]);
  },
);

test('[F8] reconnect during errorExpiryLength of the endpoint refetches stale data once the error has expired', async () => {
  const w = world();
  const server = { down: false };
  const reply = () => (server.down ? Promise.reject(refusal(503)) : { id: 1, title: 'a' });
  const options = { reply, dataExpiryLength: 5, errorExpiryLength: 4_000 };
  const get = w.read('get', Todo, options);
  await w.controller.fetch(get, params);
  w.controller.view(get, params).retain();
  server.down = true;
  await refused(w.controller.fetch(get, params));
  w.clock.advance(3_999);
  w.page.comeBack('reconnect');
  w.clock.advance(1);
  expect(w.calls).toHaveLength(2);
  w.clock.advance(1);
  expect(w.calls).toHaveLength(3);
});

test('[F8] several focus and reconnect events within the expiry of an error refetch once', async () => {
  const { w } = await failing();
  for (const what of ['focus', 'reconnect', 'focus'] as const) {
    w.clock.advance(200);
    w.page.comeBack(what);
  }
  w.clock.advance(10_000);
  expect(w.calls).toHaveLength(2);
});

test('[F8] a delayed refetch that fails is repeated only after the next reconnect', async () => {
  const { w, server } = await failing();
  server.down = true;
  w.page.comeBack('reconnect');
  w.clock.advance(1_001);
  await settled();
  w.clock.advance(10_000);
  expect(w.calls).toHaveLength(2);
  w.page.comeBack('reconnect');
  expect(w.calls).toHaveLength(3);
});

test('[F8] data unmounted between focus and the expiry of the error are not refetched', async () => {
  const { w, release } = await failing();
  w.page.comeBack('focus');
  release();
  w.clock.advance(10_000);
  expect([w.calls.length, w.clock.waiting]).toEqual([1, 0]);
});

test('[F8] a response between focus and the expiry of the error cancels the delayed refetch, even if stale at once', async () => {
  const { w, get } = await failing({ dataExpiryLength: -1 });
  w.page.comeBack('focus');
  await w.controller.fetch(get, params);
  w.clock.advance(10_000);
  expect(w.calls).toHaveLength(2);
});

test('[F8] a request issued after focus replaces the delayed refetch, even if that request fails', async () => {
  const { w, get, server } = await failing();
  w.page.comeBack('focus');
  server.down = true;
  w.clock.advance(500);
  await refused(w.controller.fetch(get, params));
  w.clock.advance(10_000);
  expect(w.calls).toHaveLength(2);
});

test('[F8] reconnect during a request that then fails refetches once, when the error has expired', async () => {
  const w = world();
  const view = w.controller.view(w.read('get', Todo), params);
  void view.ensure(true);
  view.retain();
  w.page.comeBack('reconnect');
  await w.call().fail(refusal(503));
  w.clock.advance(1_000);
  expect(w.calls).toHaveLength(1);
  w.clock.advance(1);
  expect(w.calls).toHaveLength(2);
  await w.call().answer({ id: 1 });
  w.clock.advance(10_000);
  expect(w.calls).toHaveLength(2);
});

test('[F8] if the error expires while the page is offline, the next reconnect refetches', async () => {
  const { w } = await failing();
  w.page.comeBack('focus');
  w.page.offline = true;
  w.clock.advance(5_000);
  expect(w.calls).toHaveLength(1);
  w.page.comeBack('reconnect');
  expect(w.calls).toHaveLength(2);
});

test('[F8] with refetchOnFocus: false, focus within the expiry of an error refetches nothing later', async () => {
  const { w } = await failing({ refetchOnFocus: false });
  w.page.comeBack('focus');
  w.clock.advance(10_000);
  expect(w.calls).toHaveLength(1);
});

test('[V6] the page has one listener while there are mounted readers, and none after the last unmounts', async () => {
  const w = world();
  const get = w.read('get', Todo);
  expect(w.page.listeners).toBe(0);
  const releases = [1, 1, 2].map((id) => w.controller.view(get, { id }).retain());
  expect(w.page.listeners).toBe(1);
  for (const release of releases) release();
  expect(w.page.listeners).toBe(0);
});

/** A page with a browser's events, for the default surroundings; returns every added listener. */
function browser() {
  const target = new EventTarget();
  const began: string[] = [];
  const listen = (type: string, listener: EventListener): void => {
    began.push(type);
    target.addEventListener(type, listener);
  };
  const document = { visibilityState: 'visible', addEventListener: listen };
  const navigator = { onLine: true };
  vi.stubGlobal('document', document);
  vi.stubGlobal('navigator', navigator);
  vi.stubGlobal('addEventListener', listen);
  onTestFinished(() => void vi.unstubAllGlobals());
  const happens = (type: string): void => void target.dispatchEvent(new Event(type));
  return { document, navigator, began, happens };
}

/** A reader of data that expire at once, on the surroundings that a controller finds by itself. */
async function onPage() {
  const w = world({ surroundings: undefined as never });
  const options = { reply: () => ({ id: 1, title: `${w.calls.length}` }), dataExpiryLength: -1 };
  const get = w.read('get', Todo, options);
  await w.controller.fetch(get, params);
  return { w, get, release: w.controller.view(get, params).retain() };
}

test('[F4] visibilitychange, focus and online refetch stale mounted data while the page is visible and online', async () => {
  const page = browser();
  const { w, release } = await onPage();
  page.document.visibilityState = 'hidden';
  page.happens('visibilitychange');
  expect(w.calls).toHaveLength(1);
  page.document.visibilityState = 'visible';
  for (const event of ['visibilitychange', 'focus', 'online']) {
    page.happens(event);
    await settled();
  }
  expect(w.calls).toHaveLength(4);
  page.navigator.onLine = false;
  page.happens('focus');
  expect(w.calls).toHaveLength(4);
  release();
  page.navigator.onLine = true;
  for (const event of ['visibilitychange', 'focus', 'online']) page.happens(event);
  expect(w.calls).toHaveLength(4);
});

test('[F4] listeners of page events are added once, also if readers mount and unmount several times', async () => {
  const page = browser();
  for (let turn = 0; turn < 3; turn++) {
    const { release } = await onPage();
    release();
  }
  expect(page.began).toEqual(['visibilitychange', 'focus', 'online']);
});

test('[F4] a hidden page is not polled, and a request is sent when the page is visible again', async () => {
  const page = browser();
  const { w, get, release } = await onPage();
  subscribe(w.controller, get.extend({ pollFrequency: 10 }), params);
  page.document.visibilityState = 'hidden';
  w.clock.advance(1_000);
  expect(w.calls).toHaveLength(1);
  page.document.visibilityState = 'visible';
  page.happens('visibilitychange');
  expect(w.calls).toHaveLength(2);
  release();
});

test('[F4] without a document no listener of page events is added', async () => {
  const listen = vi.fn<() => void>();
  vi.stubGlobal('addEventListener', listen);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { release } = await onPage();
  expect(listen).not.toHaveBeenCalled();
  release();
});
