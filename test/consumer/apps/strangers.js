// Uses of the entries that fail if a controller belongs to another copy of the library than the entry.
class Closed {
  addEventListener() {}
  removeEventListener() {}
  close() {}
}
const locks = { request: () => new Promise(() => {}) };
const storage = () => ({
  read: async () => new Map(),
  change: async (keys, decide) => void decide(keys.map(() => undefined)),
  replace: async () => {},
});
const channel = () => ({ postMessage() {}, close() {} });

/** The panel reads its controller before it draws, and so before it misses a page here. */
function openPanelWithoutPage({ openPanel }, { controller }) {
  const page = {
    createElement: () => ({ attachShadow: () => ({ ownerDocument: page }) }),
    defaultView: {
      CSSStyleSheet: class {
        replaceSync() {}
      },
    },
  };
  try {
    openPanel(controller, { target: { nodeType: 1, ownerDocument: page, append() {} } });
  } catch (error) {
    if (error.code !== undefined) throw error;
  }
}

/** Renders a component that reads the state of the controller from the provider of a framework. */
const rendered =
  (name) =>
  (adapter, { controller, views }) => {
    const { create, render } = views[name];
    const Count = () => adapter.useIsFetching();
    render(() => create(adapter.Provider, { controller, children: () => create(Count, {}) }));
  };

/** The controller of a test kit is one of `signalbox`, and the hooks of the adapter find it. */
const tested =
  (name) =>
  (kit, { Controller, entries, views }) => {
    const { create, render } = views[name];
    const { useController } = entries[`signalbox/${name}`];
    const found = {};
    const Child = () => {
      Object.assign(found, { controller: useController() });
      return null;
    };
    render(() => create(kit.MockProvider, { fixtures: [], children: () => create(Child, {}) }));
    if (!(found.controller instanceof Controller)) throw new Error('not a Controller of signalbox');
  };

/** These take a controller, and throw A7 for one of another copy. */
const takesController = {
  signalbox({ live }, { controller, Todo }) {
    for (const id of [1, 2]) {
      controller.set(Todo, { id });
      if (live(controller, Todo, { id })?.id !== id) throw new Error('not in the store');
    }
  },
  'signalbox/react': rendered('react'),
  'signalbox/react/native': rendered('react'),
  'signalbox/preact': rendered('preact'),
  'signalbox/solid': rendered('solid'),
  'signalbox/ssr': ({ dehydrate }, { controller }) => dehydrate(controller),
  'signalbox/ssr/node': (ssr, { controller }) => ssr.serverDataTransform(controller).destroy(),
  'signalbox/devtools': ({ recordCommits }, { controller }) => recordCommits(controller)(),
  'signalbox/devtools/panel': openPanelWithoutPage,
  'signalbox/persist': ({ persist }, { controller }) =>
    persist(controller, { names: {}, storage }).stop(),
  'signalbox/offline': ({ offline }, { controller }) =>
    offline(controller, { names: {}, storage, locks }).stop(),
  'signalbox/tabs': ({ connectTabs }, { controller }) =>
    connectTabs(controller, { names: {}, channel: channel() })(),
  'signalbox/streams': ({ connectWebSocket }, { controller }) =>
    connectWebSocket(controller, 'ws://host', { receive() {}, WebSocket: Closed }).close(),
};

/** These create a controller, or find one in a context of another entry. */
const meetsController = {
  'signalbox/react/signals': ({ useSignalQuery }, { controller, Todo, entries, views }) => {
    const { create, render } = views.react;
    const Title = () => (useSignalQuery(Todo, { id: 1 }), null);
    const { Provider } = entries['signalbox/react'];
    render(() => create(Provider, { controller, children: () => create(Title, {}) }));
  },
  'signalbox/testing': ({ mockController }, { Controller }) => {
    if (!(mockController() instanceof Controller)) throw new Error('not of signalbox');
  },
  'signalbox/testing/react': tested('react'),
  'signalbox/testing/preact': tested('preact'),
  'signalbox/testing/solid': tested('solid'),
};

/** The code or the text of the error that a use of an entry throws. */
function errorOf(attempt, entry, known) {
  try {
    attempt?.(entry, known);
    return undefined;
  } catch (error) {
    return error.code ?? String(error);
  }
}

/** What is wrong with each entry that has not the store of `signalbox`; `other` is a copy that must be refused. */
export function strangers({ imported, required, views, other }) {
  const { Controller, Entity } = imported.signalbox;
  class Todo extends Entity {
    id = 0;
  }
  const known = { Controller, Todo, entries: required, views };
  const found = {};
  for (const [name, entry] of Object.entries(required)) {
    const use = takesController[name] ?? meetsController[name];
    const differs = Object.keys(entry).some((key) => entry[key] !== imported[name][key]);
    const error = errorOf(use, entry, { ...known, controller: new Controller() });
    if (differs || error !== undefined) found[name] = error ?? 'import and require differ';
    if (other === undefined || !(name in takesController)) continue;
    const refusal = errorOf(use, entry, { ...known, controller: new other.Controller() });
    if (refusal !== 'A7') found[name] = `takes a controller of another copy: ${refusal}`;
  }
  return found;
}
