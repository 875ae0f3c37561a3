/** The controller: one per request on the server, one per page in the browser. */
import { createContext } from 'react-router';
import { Controller } from 'signalbox';

/** The controller of a request, for loaders and for the rendering. */
export const controllerContext = createContext<Controller>();

/** The controller of the page: for client loaders. Empty on the server. */
export const pageController = new Controller();
