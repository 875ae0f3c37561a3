/** Managers outside of a provider: their middleware in the form of Redux, and their life. */
import type { DataClientController } from './DataClientController.ts';
import type { GenericDispatch, Manager, ManagerInList, Middleware } from './Manager.ts';
import type { State } from './State.ts';

/** Middleware as Redux applies it. */
export type ReduxMiddleware = (api: {
  readonly dispatch: GenericDispatch;
  readonly getState: () => State<unknown>;
}) => (next: GenericDispatch) => GenericDispatch;

/** The middleware of all managers, in order. */
export function middlewareOf(managers: readonly ManagerInList[]): readonly Middleware[] {
  return (managers as readonly Manager[]).flatMap((manager): readonly Middleware[] => {
    const own: Middleware | undefined = manager.getMiddleware?.() ?? manager['middleware'];
    return own === undefined ? [] : [own.bind(manager)];
  });
}

/** The middleware of the managers for an application's own chain. They act on the store of the controller. */
export function applyManager(
  managers: readonly ManagerInList[],
  controller: DataClientController,
): ReduxMiddleware[] {
  return middlewareOf(managers).map((middleware) => () => middleware(controller) as never);
}

/** `useEffect(initManager(managers, controller, state), [])`: begins the life of managers; its result ends it. */
export function initManager(
  managers: readonly ManagerInList[],
  controller: DataClientController,
  initialState: State<unknown> = controller.getState(),
): () => () => void {
  return () => {
    for (const manager of managers) manager.init?.(initialState);
    return () => {
      for (const manager of managers) manager.cleanup();
    };
  };
}
