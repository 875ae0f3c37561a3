/** The controller: one per request on the server, one per page in the browser. */
import { getRequestEvent, isServer } from 'solid-js/web';
import { Controller } from 'signalbox';
import { receiveServerData } from 'signalbox/ssr';

const controllers = new WeakMap<object, Controller>();

/** That of a request: `context` is `event.context` of the server's event. */
export function controllerOf(context: object): Controller {
  const controller = controllers.get(context) ?? new Controller();
  controllers.set(context, controller);
  return controller;
}

let pageController: Controller | undefined;

export function getController(): Controller {
  if (isServer) return controllerOf(getRequestEvent()?.nativeEvent.context as object);
  if (pageController === undefined) {
    pageController = new Controller();
    receiveServerData(pageController);
  }
  return pageController;
}
