/** Managers, controller and actions in the forms of Data Client's pages. */
import {
  actionTypes,
  Controller,
  DevToolsManager,
  getDefaultManagers,
  initialState,
  LogoutManager,
  NetworkManager,
  PollingSubscription,
  SubscriptionManager,
  useController,
} from 'signalbox/data-client';
import type {
  ActionTypes,
  DataClientDispatch,
  Denormalize,
  DenormalizeNullable,
  Dispatch,
  EndpointInterface,
  EntityInterface,
  FetchAction,
  FetchFunction,
  GenericDispatch,
  InvalidateAction,
  Manager,
  Middleware,
  MiddlewareAPI,
  NetworkError,
  Queryable,
  ResetAction,
  ResolveType,
  Schema,
  SchemaArgs,
  SetAction,
  SetResponseAction,
  State,
  SubscribeAction,
  UnknownError,
  UnsubscribeAction,
  ErrorTypes,
  PK,
  Normalize,
  UpdateFunction,
} from 'signalbox/data-client';
import type {
  ExpireAllAction,
  InvalidateAllAction,
  OptimisticAction,
  SetResponseActionSuccess,
} from 'signalbox/data-client';
import {
  All,
  Collection,
  Entity,
  Invalidate,
  resource,
  schema,
  Union,
  Values,
} from 'signalbox/data-client';

class Quote extends Entity {
  symbol = '';
  price = 0;
  pk() {
    return this.symbol;
  }
}
class Article extends Entity {
  id = '';
  title = '';
  votes = 0;
}
const ArticleResource = resource({ path: '/article/:id', schema: Article });
declare function report(what: unknown, about?: object): void;

class FailureManager implements Manager {
  middleware: Middleware = (controller) => (next) => async (action) => {
    if (action.type === actionTypes.SET_RESPONSE && action.error) {
      const { endpoint, args, response } = action;
      report(response.message, { name: endpoint.name, args, status: response.status });
    }
    return next(action);
  };
  cleanup() {}
}
class StopwatchManager implements Manager {
  middleware: Middleware = (controller) => (next) => async (action) => {
    if (action.type === actionTypes.FETCH) {
      const { endpoint, meta } = action;
      meta.promise.finally(() => report(endpoint.name, { time: Date.now() - meta.fetchedAt }));
    }
    return next(action);
  };
  cleanup() {}
}
class FocusManager implements Manager {
  declare protected controller: Controller;
  protected expire = () => this.controller.expireAll({ testKey: (key) => key.startsWith('GET') });
  middleware: Middleware = (controller) => {
    this.controller = controller;
    return (next) => async (action) => next(action);
  };
  init() {
    addEventListener('focus', this.expire);
  }
  cleanup() {
    removeEventListener('focus', this.expire);
  }
}
class StorageManager implements Manager {
  declare protected pending?: ReturnType<typeof setTimeout>;
  middleware: Middleware = (controller) => (next) => async (action) => {
    await next(action);
    clearTimeout(this.pending);
    this.pending = setTimeout(() => {
      const { optimistic, ...state } = controller.getState();
      localStorage.setItem(
        'state',
        JSON.stringify({ ...state, optimistic: [], was: optimistic.length }),
      );
    }, 10);
  };
  cleanup() {
    clearTimeout(this.pending);
  }
}
class QuoteManager implements Manager {
  declare protected controller: Controller;
  declare protected socket: WebSocket | EventSource;
  declare protected open: () => WebSocket | EventSource;
  declare protected entities: Record<string, typeof Entity>;
  private channels: string[] = [];
  constructor(open: () => WebSocket | EventSource, entities: Record<string, typeof Entity>) {
    this.open = open;
    this.entities = entities;
  }
  middleware: Middleware = (controller) => {
    this.controller = controller;
    return (next) => async (action) => {
      switch (action.type) {
        case actionTypes.SUBSCRIBE:
          if ('channel' in action.endpoint) {
            this.channels.push(action.endpoint.channel as string);
            return Promise.resolve();
          }
          break;
        case actionTypes.UNSUBSCRIBE:
          if (action.endpoint.channel) return;
      }
      return next(action);
    };
  };
  init() {
    this.socket = this.open();
    this.socket.onmessage = ({ data }: MessageEvent) => {
      const { kind, args, row } = JSON.parse(data);
      if (kind in this.entities) this.controller.set(this.entities[kind], ...args, row);
    };
  }
  cleanup() {
    this.socket?.close();
  }
}
class CustomManager implements Manager {
  declare protected websocket: WebSocket;
  declare middleware: Middleware;
  constructor(url: string) {
    this.middleware = ({ getState, dispatch, set, fetch }) => {
      this.websocket = new WebSocket(url);
      return (next) => async (action) => {
        if (action.type === actionTypes.FETCH) {
          action.meta.resolve({ id: '5' });
          return;
        }
        return next(action);
      };
    };
  }
  cleanup() {
    this.websocket.close();
  }
}
class SetManager implements Manager {
  middleware: Middleware = (controller) => (next) => async (action) => {
    switch (action.type) {
      case actionTypes.SET_RESPONSE: {
        const { data } = controller.getResponse(
          action.endpoint,
          ...action.args,
          controller.getState(),
        );
        console.info(`${action.endpoint.name} ${JSON.stringify(data)}`);
        break;
      }
      case actionTypes.SET:
        console.log(action.schema, action.args, action.value, action.meta.date);
        break;
      case actionTypes.INVALIDATE:
        console.log(action.key);
        break;
      case actionTypes.EXPIREALL:
      case actionTypes.INVALIDATEALL:
        console.log(action.testKey('x'));
        break;
      case actionTypes.RESET:
        console.log(action.date);
        break;
      case actionTypes.OPTIMISTIC:
        console.log(action.endpoint.getOptimisticResponse);
        break;
      case actionTypes.GC:
        console.log(
          action.entities.map(({ key, pk }) => key + pk),
          action.endpoints,
        );
    }
    await next(action);
    if (action.type === actionTypes.SET_RESPONSE && action.endpoint.sideEffect)
      controller.invalidateAll({ testKey: (key) => ArticleResource.getList.testKey(key) });
  };
  cleanup() {}
}
class CustomPolling extends PollingSubscription {
  cleanup() {
    super.cleanup();
  }
}
class CustomNetwork extends NetworkManager {
  handle(action: FetchAction) {
    this.handleFetch(action);
  }
}
class MyLogout extends LogoutManager {
  protected shouldLogout(error: UnknownError) {
    return super.shouldLogout(error) || error.status === 403;
  }
}
export function getManagers(): Manager[] {
  return [
    new FailureManager(),
    new StopwatchManager(),
    new FocusManager(),
    new StorageManager(),
    new QuoteManager(() => new WebSocket('wss://x'), { quote: Quote }),
    new CustomManager('wss://x'),
    new SetManager(),
    new MyLogout(),
    new DevToolsManager(),
    new DevToolsManager({ latency: 5 }, (action) => action.type === actionTypes.SET),
    new CustomNetwork(),
    new SubscriptionManager(CustomPolling),
    ...getDefaultManagers({
      devToolsManager: {
        latency: 1000,
        predicate: (state, action) => action.type !== actionTypes.SET || action.schema !== Quote,
      },
      networkManager: new NetworkManager({ errorExpiryLength: 5 }),
    }),
  ];
}
export async function controllerPrograms(ctrl: Controller) {
  await ctrl.set(Article, { id: '5' }, { id: '5', title: 'x' });
  await ctrl.set(Article, { id: '5' }, (article) => ({ id: '5', votes: article.votes + 1 }));
  await ctrl.set(ArticleResource.getList.schema, [{ id: '5', title: 'x' }]);
  await ctrl.set([Article], [{ id: '5', title: 'x' }, { id: '6' }]);
  await ctrl.set(new schema.Array(Article), [{ id: '5' }]);
  await ctrl.set([new Invalidate(Article)], [{ id: '5' }, { id: '6' }]);
  await ctrl.set(new schema.Invalidate(Article), { id: '5' });
  await ctrl.set(new Values(Article), { '5': { id: '5', title: 'x' } });
  await ctrl.set(new All(Article), [{ id: '5' }]);
  await ctrl.set([new Union({ a: Article, q: Quote }, 'type')], [{ id: '1', type: 'a' }]);
  await ctrl.set(new Collection([Article]), { group: 5 }, [{ id: '5' }]);
  const { endpoint, args, data } = JSON.parse('{}');
  await ctrl.setResponse(
    { ArticleResource }[endpoint as 'ArticleResource'].get,
    ...(args as [any]),
    data,
  );
  await ctrl.setResponse(ArticleResource.delete, { id: '5' }, { id: '5' });
  await ctrl.setResponse(ArticleResource.getList, [{ id: '5' }]);
  await ctrl.setError(ArticleResource.get, { id: '5' }, new Error('x'));
  await ctrl.resolve(ArticleResource.get, {
    args: [{ id: '5' }],
    response: { id: '5' },
    fetchedAt: 5,
  });
  await ctrl.resolve(ArticleResource.get, {
    args: [{ id: '5' }],
    response: new Error('x'),
    fetchedAt: 5,
    error: true,
  });
  const state = ctrl.getState();
  ctrl.get(Article, { id: '5' }, state)?.title;
  ctrl.get(new All(Article), state)?.map((article) => article.title);
  ctrl.getError(ArticleResource.get, { id: '5' }, state)?.message;
  const response = ctrl.getResponse(ArticleResource.get, { id: '5' }, state);
  response.data?.title;
  const list = ctrl.getResponse(ArticleResource.getList, state);
  list.data?.map((article) => article.title);
  const snap = ctrl.snapshot(state, Date.now());
  snap.getResponse(ArticleResource.get, { id: '5' }).data?.title;
  snap.getError(ArticleResource.get, { id: '5' })?.status;
  snap.get(Article, { id: '5' })?.title;
  snap.fetchedAt.toFixed();
  snap.getResponse(ArticleResource.get, { id: '5' }).expiryStatus.toFixed();
  const inState = ctrl.getState().entities['Article']?.['5'];
  const unsubscribe = await ctrl.fetchIfStale(ArticleResource.getList);
  await ctrl.fetch(ArticleResource.getList.push, new FormData());
  await ctrl.fetch(ArticleResource.update, { id: '5' }, new FormData());
  const created = await ctrl.fetch(ArticleResource.getList.push, { title: 'x' });
  created.pk();
  await ctrl.dispatch({ type: actionTypes.RESET, date: Date.now() });
  void [inState, unsubscribe, initialState.entities];
  class Logged extends Controller {
    constructor(...args: any[]) {
      super(...args);
    }
  }
  void Logged;
}
export function useSubscribe<
  E extends EndpointInterface<FetchFunction, Schema | undefined, undefined | false>,
>(endpoint: E, ...args: readonly [...Parameters<E>]) {
  const controller = useController();
  controller.subscribe(endpoint, ...args);
  return () => controller.unsubscribe(endpoint, ...args);
}
export function read<S extends Queryable>(
  controller: Controller,
  one: S,
  state: State<unknown>,
  ...args: SchemaArgs<S>
): DenormalizeNullable<S> | undefined {
  return controller.get(one, ...args, state);
}
export function readResponse<E extends EndpointInterface>(
  controller: Controller,
  endpoint: E,
  ...args: readonly [...Parameters<E>]
) {
  const state = controller.getState();
  return controller.getResponse(endpoint, ...args, state).data;
}
export const publish = (ctrl: Controller, author: string) => async (article: Article) => {
  await ctrl.fetch(ArticleResource.getList.push, { author } as any, article);
  ctrl.expireAll(ArticleResource.get);
};
type Everything = [
  ActionTypes,
  DataClientDispatch,
  Denormalize<typeof Article>,
  Dispatch,
  EntityInterface,
  FetchAction,
  GenericDispatch,
  InvalidateAction,
  MiddlewareAPI,
  NetworkError,
  ResetAction,
  ResolveType<typeof ArticleResource.get>,
  SetAction,
  SetResponseAction,
  SubscribeAction,
  UnsubscribeAction,
  ErrorTypes,
  PK,
  Normalize<typeof Article>,
  UpdateFunction<typeof Article, typeof Article>,
  ExpireAllAction,
  InvalidateAllAction,
  OptimisticAction,
  SetResponseActionSuccess,
];
export const everything = {} as Everything;
