// Writes to a store with one entry, and reads it with others.
export async function shared(load) {
  const { Controller, createResource, Entity } = await load('signalbox');
  const { mockController } = await load('signalbox/testing');
  const { dehydrate } = await load('signalbox/ssr');
  const { connectDevTools } = await load('signalbox/devtools');
  class Todo extends Entity {
    id = 0;
    title = '';
  }
  const { get } = createResource({ path: '/todos/:id', schema: Todo });
  const controller = mockController();
  await controller.setResponse(get, { id: 1 }, { id: 1, title: 'shared' });

  let told;
  const ends = { send() {}, subscribe: () => () => {}, unsubscribe() {}, error() {} };
  connectDevTools(controller, {
    extension: { connect: () => ({ ...ends, init: (state) => (told = state) }) },
  });
  return {
    controller: controller instanceof Controller,
    react: await rendered(load, controller, get),
    ssr: JSON.stringify(dehydrate(controller)).includes('"shared"'),
    devtools: JSON.stringify(told).includes('"shared"'),
  };
}

async function rendered(load, controller, get) {
  const { Provider, useSuspense } = await load('signalbox/react');
  const { createElement } = await load('react');
  const { renderToString } = await load('react-dom/server');
  const Title = () => useSuspense(get, { id: 1 }).title;
  return renderToString(createElement(Provider, { controller }, createElement(Title)));
}
