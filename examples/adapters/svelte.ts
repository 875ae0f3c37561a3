/** An adapter for Svelte: each read is a store, `$todo` in a component. */
import type { ArgsOf, Controller, DataOf, EndpointInterface, Reader, Result } from 'signalbox';
import { getContext, setContext } from 'svelte';
import { readable } from 'svelte/store';
import type { Readable } from 'svelte/store';

const key = Symbol('signalbox');

/** Called in the script of the root component. */
export function provideController(controller: Controller): void {
  setContext(key, controller);
}

export function useController(): Controller {
  const controller = getContext<Controller | undefined>(key);
  if (controller === undefined) throw new Error('Call provideController in a parent component.');
  return controller;
}

export interface Read<T> {
  readonly data: T | undefined;
  readonly loading: boolean;
  readonly error: Error | undefined;
}

/** Reads an endpoint while somebody subscribes to the store. */
export function read<E extends EndpointInterface>(
  controller: Controller,
  endpoint: E,
  ...args: ArgsOf<E>
): Readable<Read<DataOf<E>>> {
  const reader = controller.view(endpoint, ...args);
  return readable(toRead(reader.result.peek()), (set) =>
    follow(reader, (result) => set(toRead(result))),
  );
}

function toRead<T>({ status, data, error }: Result<T>): Read<T> {
  return { data, loading: status === 'pending', error };
}

/** Fetches what is missing or stale, and passes each result on. Returns the function to stop. */
function follow<T>(reader: Reader<T>, show: (result: Result<T>) => void): () => void {
  const update = () => {
    show(reader.result.peek());
    // after an invalidation there is nothing to show, and this fetches
    void reader.ensure(false);
  };
  void reader.ensure(true);
  const release = reader.retain();
  reader.revalidate();
  const stop = reader.listen(update);
  update();
  return () => {
    stop();
    release();
  };
}
