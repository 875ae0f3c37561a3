/** Managers, entities and contexts in the forms that versions before 0.14 have. */
import { useContext, useEffect, useReducer } from 'react';
import {
  actionTypes,
  CacheProvider,
  Collection,
  Controller,
  ControllerContext,
  createResource,
  DevToolsManager,
  Endpoint,
  Entity,
  initialState,
  LogoutManager,
  NetworkManager,
  PollingSubscription,
  Query,
  RestEndpoint,
  schema,
  StateContext,
  StoreContext,
  SubscriptionManager,
  unshift,
  useController,
  usePromisifiedDispatch,
  useSuspense,
} from 'signalbox/data-client';
import type {
  ActionTypes,
  Dispatch,
  EndpointInterface,
  FetchAction,
  Manager,
  Middleware,
  MiddlewareAPI,
  PolymorphicInterface,
  Resource,
  RestGenerics,
  SnapshotInterface,
  State,
} from 'signalbox/data-client';
import type { Fixture } from 'signalbox/data-client/test';

class Doc extends Entity {
  id = '';
  slug = '';
  revision = 0;
  pk() {
    return this.id;
  }
  static indexes = ['slug'] as const;
  static useIncoming(
    existingMeta: { date: number },
    incomingMeta: { date: number },
    existing: any,
    incoming: any,
  ) {
    if (existing.revision === incoming.revision)
      return super.useIncoming(existingMeta, incomingMeta, existing, incoming);
    return existing.revision < incoming.revision;
  }
  static infer(args: any, indexes: any, recurse: any, entities: any): any {
    const [{ slug, parent }] = args;
    if (slug) return indexes[this.key]?.slug?.[slug];
    if (parent) return recurse(this, [{ id: parent }], indexes, entities);
    return super.infer(args, indexes, recurse, entities);
  }
}
const DocResource = createResource({ path: '/docs/:id', schema: Doc });

class AuditManager implements Manager {
  protected lines: string[] = [];
  getMiddleware = (): Middleware => (controller) => (next) => async (action) => {
    switch (action.type) {
      case actionTypes.FETCH_TYPE:
      case actionTypes.SUBSCRIBE_TYPE:
        this.lines.push(action.meta.key + action.meta.args[0]?.slug);
        break;
      case actionTypes.SET_RESPONSE_TYPE: {
        const state = controller.getState();
        const { data } = controller.getResponse(action.endpoint, ...action.meta.args, state);
        this.lines.push(JSON.stringify([data, action.payload]));
        return next({ ...action, payload: { ...action.payload } });
      }
      case actionTypes.INVALIDATE_TYPE:
        if (action.meta.key in hidden) return;
    }
    return next(action);
  };
  cleanup() {}
}
const hidden: Record<string, unknown> = {};

class HistoryManager implements Manager {
  declare protected middleware: Middleware;
  protected past: State<unknown>[] = [initialState];
  constructor(protected limit = 50) {
    this.middleware =
      ({ getState }) =>
      (next) =>
      async (action) => {
        await next(action);
        if (action.type === actionTypes.SET_TYPE) this.past.push(getState());
      };
  }
  getMiddleware() {
    return this.middleware;
  }
  init(state: State<any>) {
    this.past = [state];
  }
  cleanup() {
    this.past.length = 0;
  }
}

class StreamManager implements Manager {
  declare protected middleware: Middleware;
  declare protected source: EventSource;
  declare init: () => void;
  constructor(url: string, endpoints: Record<string, EndpointInterface>) {
    this.middleware = (controller: Controller<any>) => {
      this.init = () => {
        this.source = new EventSource(url);
        this.source.onmessage = ({ data }: MessageEvent) => {
          const { kind, args, body } = JSON.parse(data);
          if (kind in endpoints) controller.setResponse(endpoints[kind], ...args, body);
        };
      };
      return (next) => async (action) => {
        if (action.type !== actionTypes.SUBSCRIBE_TYPE) return next(action);
      };
    };
  }
  getMiddleware() {
    return this.middleware;
  }
  cleanup() {
    this.source.close();
  }
}

class Queue extends NetworkManager {
  protected waiting: FetchAction[] = [];
  protected handleFetch(action: FetchAction) {
    this.waiting.push(action);
    return super.handleFetch(action);
  }
  getMiddleware(): Middleware {
    return super.getMiddleware();
  }
  skipLogging(action: ActionTypes) {
    return super.skipLogging(action) || action.type === actionTypes.SUBSCRIBE;
  }
}
const queue = new Queue(60_000, 1000);
export const seconds: number = queue.dataExpiryLength / 1000;
export const chain: Middleware[] = [
  queue.getMiddleware(),
  new LogoutManager().getMiddleware(),
  new DevToolsManager().getMiddleware(),
  new SubscriptionManager(PollingSubscription).getMiddleware(),
];
const managers: Manager[] = [
  new AuditManager(),
  new HistoryManager(),
  new StreamManager('/events', {}),
  queue,
];

const rows = new schema.Collection([Doc]);
const allDocs = new Endpoint(async (): Promise<any> => [], { schema: rows, key: () => 'all' });
const save = async (doc: Partial<Doc>, silent?: boolean): Promise<any> => ({ ...doc, silent });
export const saveDoc = new Endpoint(save, {
  schema: Doc,
  sideEffect: true,
  update: (id: string) => ({ [allDocs.key()]: (ids: string[] = []) => [...ids, id] }),
  getOptimisticResponse: (_snapshot, doc) => doc,
});
void saveDoc({ slug: 'a' }, true).then((doc) => doc.slug);

function Debug() {
  const controller = useContext(ControllerContext);
  const state: State<unknown> = useContext(StateContext);
  const { subscribe, getState } = useContext(StoreContext);
  const [count, add] = useReducer((before: number, step: number) => before + step, 0);
  const dispatch = usePromisifiedDispatch(add, count);
  useEffect(() => subscribe(() => console.log(getState().lastReset)), [subscribe, getState]);
  const { data, expiryStatus } = controller.getResponse(DocResource.get, { id: '5' }, state);
  return (
    <button onClick={() => dispatch(1).then(() => console.log(count))}>
      {JSON.stringify(state.entities)} {data?.slug} {expiryStatus}
    </button>
  );
}
export const App = () => (
  <CacheProvider managers={managers}>
    <Debug />
  </CacheProvider>
);

/** A manager of Rest Hooks 5, whose types have the reducer as their parameter. */
type Reducer = (state: any, action: any) => any;
export class EchoManager implements Manager {
  declare protected middleware: Middleware;
  constructor() {
    this.middleware = <R extends Reducer>({ dispatch }: MiddlewareAPI<R>) => {
      return (next: Dispatch<R>) => (action: any) => {
        void dispatch(action);
        return next(action);
      };
    };
  }
  getMiddleware<T extends EchoManager>(this: T) {
    return this.middleware;
  }
  cleanup() {}
}
export const everyDoc = new Query(new schema.All(Doc));
class FrontCollection<
  S extends any[] | PolymorphicInterface = any,
  Parent extends any[] = [urlParams: any, body?: any],
> extends Collection<S, Parent> {
  constructor(front: S, options?: any) {
    super(front, options);
    this.move = this.moveWith(unshift);
    this.push = this.addWith(unshift);
  }
}
export const FrontDocs = createResource({
  path: '/docs/:slug',
  schema: Doc,
  Collection: FrontCollection,
});
export const namedDocs = FrontDocs.getList.extend({
  schema: everyDoc,
  key(params: { limit?: number }) {
    return FrontDocs.getList.key({ ...params, limit: undefined } as any);
  },
});
const queue1 = new RestEndpoint({ path: '/docs/:slug/queue', schema: Doc, method: 'POST' });
const getOwner = new RestEndpoint({ path: '/owners/:id', schema: { owner: { docs: [Doc] } } });
export interface PathResource<U extends string, S> extends Omit<Resource<U, S>, 'getList'> {
  readonly extra: U;
}
export const olderFixtures: Fixture[] = [{ request: namedDocs, params: {}, result: [] }];
export function Owner({ id }: { id?: string }) {
  const { fetch } = useController();
  const found = useSuspense(getOwner, id ? { id } : null);
  const send = async () => (await fetch(queue1, { slug: 'a' })).slug;
  return <button onClick={send}>{found.owner.docs?.length ?? 0}</button>;
}

/** Interfaces that extend the type of an endpoint, whose type parameters they pass on. */
interface SizedEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  readonly pageSize: number;
}
interface NamedDocs<P extends string> extends SizedEndpoint<{ path: P; schema: typeof Doc }> {
  readonly label?: string;
}
export async function readPage(any: SizedEndpoint, docs: NamedDocs<'/docs/:slug'>) {
  const doc = useSuspense(docs, { slug: 'a' });
  doc.revision.toFixed();
  docs.url({ slug: 5 });
  // @ts-expect-error the param is named slug
  docs.url({ id: 5 });
  const larger = any.extend({ pageSize: any.pageSize + 1 });
  return [await any({ id: 1 }, 'body'), larger, docs.label?.length];
}

/** A snapshot that a function of the application takes. */
const isShown = (snapshot: SnapshotInterface, slug: string) => {
  const { data, expiryStatus, expiresAt } = snapshot.getResponse(DocResource.get, { id: slug });
  return expiryStatus === 3 && expiresAt > 0 && data !== undefined && data.slug === slug;
};
export const archive = new RestEndpoint({
  path: '/docs/:id/archive',
  method: 'POST',
  body: undefined,
  schema: Doc,
  getOptimisticResponse(snapshot, { id }) {
    if (!isShown(snapshot, `${id}`)) throw snapshot.abort;
    return { id };
  },
});
