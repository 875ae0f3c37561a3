/** Server rendering by the names of Data Client: a store for each page, and the state as a script of the page. */
import { createElement, Suspense } from 'react';
import type { FunctionComponent, ReactElement, ReactNode } from 'react';
import { systemClock } from '../clock.ts';
import { pageIsParsed, textInPage } from '../page.ts';
import { toScriptSafeJson } from '../schema/wire.ts';
import { DataClientController } from './DataClientController.ts';
import { DataProvider } from './DataProvider.ts';
import { getDefaultManagers, NetworkManager } from './Manager.ts';
import type { ManagerInList } from './Manager.ts';
import { initialState } from './State.ts';
import type { State } from './State.ts';

const SCRIPT_ID = 'data-client-data';

/** The store of a page: the provider, a hook that waits for all requests, the controller, and the state. */
export type PersistedStore = readonly [
  ServerDataProvider: FunctionComponent<{ readonly children?: ReactNode }>,
  useReadyCacheState: () => State<unknown>,
  controller: DataClientController,
  store: { readonly getState: () => State<unknown> },
];

/** `const [ServerDataProvider, useReadyCacheState, controller] = createPersistedStore();` for each page. */
export function createPersistedStore(managers?: readonly ManagerInList[]): PersistedStore {
  const own = managers ?? getDefaultManagers({ devToolsManager: null });
  const network = own.find((manager) => manager instanceof NetworkManager);
  const controller = new DataClientController();
  const getState = () => controller.getState();
  let isFirstRender = true;
  const ServerDataProvider: PersistedStore[0] = ({ children }) =>
    createElement(DataProvider, { controller, managers: own, devButton: null }, children);
  const useReadyCacheState = () => {
    // components that render later send their requests in the meantime
    const pending = network?.allSettled() ?? (isFirstRender ? start() : undefined);
    isFirstRender = false;
    if (pending !== undefined) throw pending as unknown as Error;
    return getState();
  };
  return [ServerDataProvider, useReadyCacheState, controller, { getState }];
}

// ms
const START = 10;
const start = () => new Promise<void>((resolve) => void systemClock.after(START, resolve));

/** Props of `<ServerData>`. */
export interface ServerDataProps {
  readonly data: State<unknown>;
  readonly id?: string | undefined;
  readonly nonce?: string | undefined;
}

/** A script with a state, for `getInitialData` in the browser. */
export function ServerData({ data, id = SCRIPT_ID, nonce }: ServerDataProps): ReactElement {
  // the tables are for reading: this part alone restores a store
  const { server } = data as { readonly server?: unknown };
  const __html = toScriptSafeJson({ ...initialState, server });
  const props = { id, nonce, type: 'application/json', dangerouslySetInnerHTML: { __html } };
  return createElement('script', props);
}

/** A component that renders `<ServerData>` once all requests have settled. */
export function createServerDataComponent(
  useReadyCacheState: () => State<unknown>,
  id: string = SCRIPT_ID,
  nonce?: string,
): FunctionComponent<Pick<ServerDataProps, 'nonce'>> {
  const ReadyData = (props: Pick<ServerDataProps, 'nonce'>) =>
    createElement(ServerData, { data: useReadyCacheState(), id, nonce, ...props });
  return (props) => createElement(Suspense, null, createElement(ReadyData, props));
}

/** The state in the script of the page. Throws if the page has no such script. */
export function getInitialData(id: string = SCRIPT_ID): State<unknown> {
  const text = textInPage(id);
  if (!text) throw new Error(`the page has no script with the id "${id}"`);
  return JSON.parse(text) as State<unknown>;
}

/** `getInitialData`, once the page is parsed. */
export async function awaitInitialData(id: string = SCRIPT_ID): Promise<State<unknown>> {
  if (textInPage(id) === undefined) await pageIsParsed();
  return getInitialData(id);
}
