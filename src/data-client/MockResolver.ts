/** Fixtures below a provider, and states of fixtures. */
import { createElement } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { MockResolver as OwnMockResolver } from '../../adapters/react/MockProvider.ts';
import { ControllerContext } from '../../adapters/react/Provider.ts';
import { useContext, useEffect, useState } from '../../adapters/react/react.ts';
import type { Controller } from '../Controller.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { addTransport, contextOf } from '../request/FetchContext.ts';
import { endpointOf } from './endpointOf.ts';
import { createMockController, respondWith, storeFixture } from '../testing/mockController.ts';
import type { Fixture as OwnFixture } from '../testing/mockController.ts';
import { DataClientController } from './DataClientController.ts';
import { DataProvider } from './DataProvider.ts';
import { withFill } from './State.ts';
import type { State } from './State.ts';

// any begin: params and responses of every type
/** The fixture of Rest Hooks 3 to 7. */
export interface OlderFixture {
  readonly request: EndpointInterface;
  readonly params: any;
  readonly body?: any;
  readonly result: any;
  readonly error?: boolean | Error;
}

/** The response, or the error, of a request. */
export type Fixture<T = any> = OwnFixture<T> | OlderFixture;
// any end

/** Props of `<MockResolver>`. */
// any: the data of interceptors may be of every type
export interface MockResolverProps<T = any> {
  readonly children?: ReactNode;
  readonly fixtures?: readonly Fixture<T>[] | undefined;
  /** Creates the `this` of all functions of the fixtures. */
  readonly getInitialInterceptorData?: (() => T) | undefined;
  /** True: requests without a fixture are sent without a warning. */
  readonly silenceMissing?: boolean | undefined;
}

/** `<MockResolver fixtures={[…]}>`: the provider above, or a new provider, responds with the fixtures. */
export function MockResolver<T>(props: MockResolverProps<T>): ReactElement {
  const parent = useContext(ControllerContext);
  if (parent === undefined) {
    const fixtures = props.fixtures?.map(toFixture);
    return createElement(OwnMockResolver, { ...props, fixtures } as never);
  }
  return createElement(SharedResolver, { ...props, parent });
}

interface Added {
  readonly fixtures: readonly Fixture[];
  /** How many resolvers with these fixtures are mounted: those of one render share them. */
  mounted: number;
  stop: (() => void) | undefined;
}

interface SharedProps extends MockResolverProps {
  readonly parent: Controller;
}

/**
 * The fixtures of each controller whose resolver has not mounted yet: a render is repeated after it has suspended, and in
 * StrictMode, also with a new array of fixtures.
 */
const unmounted = new WeakMap<Controller, Set<Added>>();

function SharedResolver(props: SharedProps): ReactNode {
  const { children, fixtures = [], parent } = props;
  const [added] = useState(() => {
    const waiting = unmounted.get(parent) ?? new Set<Added>();
    unmounted.set(parent, waiting);
    for (const each of waiting) if (haveSameMembers(each.fixtures, fixtures)) return each;
    const own: Added = { fixtures, mounted: 0, stop: addFixtures(props) };
    waiting.add(own);
    return own;
  });
  useEffect(() => {
    const waiting = unmounted.get(parent);
    waiting?.delete(added);
    // after the other effects of this commit: renders that were abandoned
    void Promise.resolve().then(() => {
      waiting?.forEach(stop);
      waiting?.clear();
    });
    added.mounted++;
    added.stop ??= addFixtures(props);
    return () => {
      if (--added.mounted === 0) stop(added);
    };
    // fixtures are read at mount
  }, [added, parent]);
  return children;
}

function stop(added: Added): void {
  added.stop?.();
  added.stop = undefined;
}

function haveSameMembers(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((member, at) => member === other[at]);
}

function addFixtures({
  parent,
  fixtures = [],
  getInitialInterceptorData,
  silenceMissing = false,
}: SharedProps): () => void {
  const context = contextOf(parent);
  const { clock } = context;
  const respond = respondWith(fixtures.map(toFixture), {
    data: getInitialInterceptorData?.(),
    clock,
    silenceMissing,
  });
  return addTransport(
    context,
    (below) => (endpoint, args, leave) =>
      respond(endpoint, args, () => below(endpoint, args, leave)),
  );
}

/** A fixture in the current form. */
export function toFixture(fixture: Fixture): OwnFixture {
  if (!('request' in fixture)) return fixture;
  const { request, params, body, result, error } = fixture;
  const args = body === undefined ? [params] : [params, body];
  return { endpoint: endpointOf(request), args, response: result, error };
}

/** Props of `<MockProvider>`. */
export interface MockProviderProps {
  readonly children?: ReactNode;
  readonly results?: readonly Fixture[] | undefined;
  readonly fixtures?: readonly Fixture[] | undefined;
}

/** `<MockProvider results={[…]}>` of Rest Hooks: a provider whose store has the responses of fixtures. */
export function MockProvider({
  children,
  results = [],
  fixtures = [],
}: MockProviderProps): ReactElement {
  const [initialState] = useState(() => mockInitialState([...results, ...fixtures]));
  return createElement(DataProvider, { initialState }, children);
}

/** A state with the responses of the fixtures: `<DataProvider initialState={mockInitialState(fixtures)}>`. */
export function mockInitialState(fixtures: readonly Fixture[] = []): State {
  const create = () => new DataClientController();
  const initialFixtures = fixtures.map(toFixture);
  const controller = createMockController({ initialFixtures }, create);
  return withFill(controller, (target) => {
    for (const fixture of initialFixtures) storeFixture(target, fixture, undefined);
  });
}
