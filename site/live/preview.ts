/** The preview of the editor on the home page: runs the reader's code in a sandboxed frame, on a server in memory. */
import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import { createRoot, type Root } from 'react-dom/client';
import * as signalbox from 'signalbox';
import * as signalboxReact from 'signalbox/react';
import { transform } from 'sucrase';
import { createRestServer } from './createRestServer.ts';

/** The message of the page around the frame. */
interface Edit {
  readonly code: string;
  readonly theme: string;
}

type Render = (element: react.ReactNode) => void;

const modules: Readonly<Record<string, unknown>> = {
  react,
  'react/jsx-runtime': jsxRuntime,
  signalbox,
  'signalbox/react': signalboxReact,
};

const byId = (id: string) => document.getElementById(id) as HTMLElement;
const alert = byId('error');
let root: Root | undefined;

function showError(error: unknown): void {
  alert.textContent = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  alert.hidden = false;
}

function load(name: string): unknown {
  if (name in modules) return modules[name];
  throw new Error(`${name} is not available here. Import from ${Object.keys(modules).join(', ')}.`);
}

/** Renders an element below a provider with a new store, and boundaries. */
const renderInto =
  (target: Root, controller: signalbox.Controller): Render =>
  (element) => {
    const { AsyncBoundary, Provider } = signalboxReact;
    const Failure = ({ error }: { error: Error }) => {
      react.useEffect(() => showError(error), [error]);
      return null;
    };
    const boundary = react.createElement(
      AsyncBoundary,
      { fallback: 'Loading', errorComponent: Failure },
      element,
    );
    target.render(react.createElement(Provider, { controller }, boundary));
  };

function run(code: string): void {
  root?.unmount();
  alert.hidden = true;
  byId('requests').replaceChildren();
  globalThis.fetch = createRestServer({
    rows: () => [
      { id: 1, title: 'Buy milk', done: false },
      { id: 2, title: 'Call Grace', done: false },
    ],
    onRequest: (line) =>
      byId('requests').append(Object.assign(document.createElement('li'), { textContent: line })),
  });
  root = createRoot(byId('root'), { onUncaughtError: showError });
  const controller = new signalbox.Controller({ retry: 0, optimistic: signalbox.optimistic });
  try {
    const { code: script } = transform(code, {
      transforms: ['typescript', 'jsx', 'imports'],
      jsxRuntime: 'automatic',
      production: true,
      // class fields stay class fields
      disableESTransforms: true,
    });
    // oxlint-disable-next-line no-implied-eval, no-new-func -- the code of the reader, in a frame without an origin
    new Function('require', 'exports', 'render', script)(load, {}, renderInto(root, controller));
  } catch (error) {
    showError(error);
  }
}

addEventListener('error', ({ error, message }) => showError(error ?? message));
addEventListener('unhandledrejection', ({ reason }) => showError(reason));
addEventListener('message', ({ source, data }: MessageEvent<Edit>) => {
  if (source !== parent) return;
  document.documentElement.dataset['theme'] = data.theme;
  if (data.code !== undefined) run(data.code);
});
parent.postMessage('ready', '*');
