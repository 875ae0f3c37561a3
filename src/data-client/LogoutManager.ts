/** The manager that empties the store when the server no longer knows the user. */
import { actionTypes } from './actionTypes.ts';
import type { DataClientController } from './DataClientController.ts';
import type { Manager, Middleware } from './Manager.ts';
import type { UnknownError } from '../errors.ts';

/** Options of `new LogoutManager`. */
export interface LogoutManagerOptions {
  /** Default: empties the store. */
  readonly handleLogout?: ((controller: DataClientController) => void) | undefined;
  /** Default: status 401. */
  readonly shouldLogout?: ((error: UnknownError) => boolean) | undefined;
}

/** `new LogoutManager()`: an error with status 401 empties the store. */
export class LogoutManager implements Manager {
  constructor({ handleLogout, shouldLogout }: LogoutManagerOptions = {}) {
    if (handleLogout !== undefined) this.handleLogout = handleLogout;
    if (shouldLogout !== undefined) this.shouldLogout = shouldLogout;
  }

  readonly middleware: Middleware = (controller) => (next) => async (action) => {
    await next(action);
    if (action.type !== actionTypes.SET_RESPONSE || action.error !== true) return;
    if (this.shouldLogout(action.response)) this.handleLogout(controller);
  };

  /** `middleware` in older versions. */
  getMiddleware(): Middleware {
    return this.middleware;
  }

  protected shouldLogout(error: UnknownError): boolean {
    return error.status === 401;
  }

  handleLogout(controller: DataClientController): void {
    void controller.resetEntireStore();
  }

  cleanup(): void {}
}
