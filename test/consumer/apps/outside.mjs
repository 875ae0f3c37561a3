// What the package says to others: to fetch, and to the extension of the Redux DevTools.
import { Controller, Entity, RestEndpoint } from 'signalbox';
import { connectDevTools } from 'signalbox/devtools';

const upload = new RestEndpoint({ path: '/files', method: 'POST', body: {} });
const { duplex, method } = upload.getRequestInit(new ReadableStream());

class Todo extends Entity {
  id = 0;
  title = '';
}
const told = {};
const extension = {
  connect(options) {
    told.features = options.features;
    return {
      init: (state) => (told.state = state),
      send: (action, state) => (told.state = state),
      subscribe: () => () => {},
      unsubscribe() {},
      error() {},
    };
  },
};
const controller = new Controller();
connectDevTools(controller, { extension });
await controller.set(Todo, { id: 1 }, { title: 'a' });
const failed = new RestEndpoint({ path: '/todos/:id', schema: Todo });
await controller.setError(failed, { id: 1 }, new Error('no'));
const [request] = Object.values(told.state.requests);
console.log(
  JSON.stringify({
    init: { duplex, method },
    features: Object.keys(told.features).sort(),
    state: Object.keys(told.state).sort(),
    request: Object.keys(request).sort(),
  }),
);
