// A controller receives the state of the app and the network from React Native's modules.
import { Controller, subscribe } from 'signalbox';
import { appSurroundings } from 'signalbox/react/native';
import { expect, test } from 'vitest';
import { world } from '../contract/world.ts';

/** The modules as exported by react-native and the community package. */
function modules() {
  const states = new Set<(state: string) => void>();
  const networks = new Set<(state: { isConnected: boolean | null }) => void>();
  const app = {
    currentState: 'active',
    addEventListener(_: 'change', listener: (state: string) => void) {
      states.add(listener);
      return { remove: () => void states.delete(listener) };
    },
  };
  const network = {
    addEventListener(listener: (state: { isConnected: boolean | null }) => void) {
      networks.add(listener);
      listener({ isConnected: null });
      return () => void networks.delete(listener);
    },
  };
  return {
    app,
    network,
    turn: (...all: string[]) => {
      for (const state of all) {
        app.currentState = state;
        states.forEach((listener) => listener(state));
      }
    },
    connect: (isConnected: boolean | null) =>
      networks.forEach((listener) => listener({ isConnected })),
    listeners: () => states.size + networks.size,
  };
}

function shown() {
  const w = world();
  const told = modules();
  const surroundings = appSurroundings(told.app, told.network);
  const { clock, server } = w;
  const controller = new Controller({ clock, surroundings, retry: 0 });
  const reader = controller.view(w.getTodo, { id: 1 });
  const release = reader.retain();
  const asked = (): number => server.log.splice(0).length;
  return { ...w, ...told, controller, reader, release, asked, surroundings };
}

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test('[H6] stale mounted data are refetched once when the app returns from the background', async () => {
  const { clock, turn, reader, asked } = shown();
  await reader.ensure(true);
  expect(asked()).toBe(1);
  turn('inactive', 'background');
  clock.advance(60_001);
  turn('inactive', 'active');
  await quiet();
  expect(asked()).toBe(1);
  turn('inactive', 'background', 'active');
  await quiet();
  expect(asked()).toBe(0);
});

test('[H6] an app that turns inactive and active again refetches nothing', async () => {
  const { clock, turn, reader, asked } = shown();
  await reader.ensure(true);
  asked();
  clock.advance(60_001);
  turn('inactive', 'active');
  await quiet();
  expect(asked()).toBe(0);
});

test('[H6] polling stops in the background or without a network, and continues at the return', async () => {
  const { clock, turn, connect, controller, pollTodo, asked, surroundings } = shown();
  const stop = subscribe(controller, pollTodo, { id: 1 });
  await quiet();
  expect(asked()).toBe(1);
  turn('background');
  expect(surroundings.hidden).toBe(true);
  clock.advance(5_000);
  await quiet();
  expect(asked()).toBe(0);
  turn('active');
  await quiet();
  expect(asked()).toBe(1);
  connect(false);
  expect(surroundings.offline).toBe(true);
  clock.advance(5_000);
  await quiet();
  expect(asked()).toBe(0);
  connect(true);
  await quiet();
  expect(asked()).toBe(1);
  stop();
});

test('[H6] the app and network modules are listened to only while data are mounted', async () => {
  const { release, listeners, reader } = shown();
  expect(listeners()).toBe(2);
  release();
  expect(listeners()).toBe(0);
  reader.retain()();
  expect(listeners()).toBe(0);
});

test('[H6] without a network module the app counts as connected', () => {
  const surroundings = appSurroundings(modules().app);
  const stop = surroundings.listen(() => {});
  expect([surroundings.offline, surroundings.hidden]).toEqual([false, false]);
  stop();
});
