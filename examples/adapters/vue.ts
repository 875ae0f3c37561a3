/** An adapter for Vue 3: composables over the readers of a controller. */
import type { ArgsOf, Controller, DataOf, EndpointInterface, Reader, Result } from 'signalbox';
import { computed, inject, provide, shallowRef, toValue, watch } from 'vue';
import type { ComputedRef, InjectionKey, MaybeRefOrGetter } from 'vue';

const key: InjectionKey<Controller> = Symbol('signalbox');

/** Called in `setup` of the root component. */
export function provideController(controller: Controller): void {
  provide(key, controller);
}

export function useController(): Controller {
  const controller = inject(key);
  if (controller === undefined) throw new Error('Call provideController in a parent component.');
  return controller;
}

export interface Read<T> {
  readonly data: ComputedRef<T | undefined>;
  readonly loading: ComputedRef<boolean>;
  readonly error: ComputedRef<Error | undefined>;
}

/** Reads an endpoint while the component is mounted; `args` may be a getter or a ref. */
export function useRead<E extends EndpointInterface>(
  endpoint: E,
  args: MaybeRefOrGetter<ArgsOf<E>>,
): Read<DataOf<E>> {
  const controller = useController();
  // snapshots are immutable: Vue need not look inside
  const result = shallowRef<Result<DataOf<E>>>();
  watch(
    () => controller.view(endpoint, ...toValue(args)),
    (reader, former, onCleanup) => {
      onCleanup(follow(reader, former, (next) => (result.value = next)));
    },
    { immediate: true },
  );
  return {
    data: computed(() => result.value?.data),
    loading: computed(() => result.value?.status === 'pending'),
    error: computed(() => result.value?.error),
  };
}

/** Fetches what is missing or stale, and passes each result on. Returns the function to stop. */
function follow<T>(reader: Reader<T>, former: Reader | undefined, show: (now: Result<T>) => void) {
  const update = () => {
    show(reader.result.peek());
    // after an invalidation there is nothing to show, and this fetches
    void reader.ensure(false);
  };
  void reader.ensure(true);
  const release = reader.retain();
  reader.revalidate(former);
  const stop = reader.listen(update);
  update();
  return () => {
    stop();
    release();
  };
}
