/**
 * Reactive Data Client: its controller, reducer and network manager, put together as its providers do. A view asks the
 * controller after each action and compares what it gets, as its hooks do. Rows beside a list are given to their views by
 * the list, which is faster than a look-up for each. There is no list of members apart from their rows.
 */
import {
  applyManager,
  Controller,
  createReducer,
  initialState,
  NetworkManager,
} from '@data-client/core';
import type { ActionTypes, State } from '@data-client/core';
import { Endpoint, Entity, Query, schema } from '@data-client/endpoint';
import { byScore, touch } from '../../Contender.ts';
import type { Contender, Row } from '../../Contender.ts';
import { figuresOf, openOf, rowViews } from '../rowViews.ts';

class Author extends Entity {
  id = 0;
  name = '';
  email = '';
  bio = '';
  followers = 0;
  override pk() {
    return `${this.id}`;
  }
}

class Tag extends Entity {
  id = 0;
  name = '';
  override pk() {
    return `${this.id}`;
  }
}

class Article extends Entity {
  id = 0;
  title = '';
  content = '';
  score = 0;
  completed = false;
  createdAt = 0;
  author = Author.fromJS();
  tags: Tag[] = [];
  override pk() {
    return `${this.id}`;
  }
  static override schema = { author: Author, tags: [Tag] };
}

interface Id {
  readonly id: number;
}

const articles = new schema.Collection([Article]);
const unsent = (): Promise<never> => Promise.reject(new Error('not sent'));
const byId = unsent as (id: Id) => Promise<never>;
const getList = new Endpoint(unsent, { name: 'list', schema: articles });
const get = new Endpoint(byId, { name: 'get', schema: Article });
const getAuthor = new Endpoint(byId, { name: 'getAuthor', schema: Author });
const create = new Endpoint(unsent, { name: 'create', schema: articles.push, sideEffect: true });
const destroy = new Endpoint(byId, {
  name: 'destroy',
  schema: new schema.Invalidate(Article),
  sideEffect: true,
});

export function dataClient(): Contender {
  let state = initialState;
  let shown: State<unknown> | undefined;
  const listeners: (() => void)[] = [];
  const controller = new Controller();
  const reduce = createReducer(controller);
  const write = async (action: ActionTypes): Promise<void> => {
    state = reduce(state, action);
    shown = undefined;
    for (const listener of listeners) listener();
  };
  const api = { dispatch: (action: ActionTypes) => dispatch(action), getState: () => state };
  const dispatch = applyManager([new NetworkManager()], controller)
    .map((middleware) => middleware(api as never))
    .reduceRight((next, middleware) => middleware(next as never) as never, write);
  /** What is confirmed with what is expected on it, made once for each action. */
  const visible = () => (shown ??= state.optimistic.reduce(reduce, state));
  const list = () => (controller.getResponse(getList, visible()).data ?? []) as never as Row[];
  const watch = (select: () => unknown, run: () => void): void => {
    let last = select();
    listeners.push(() => {
      const next = select();
      if (next === last) return;
      last = next;
      run();
    });
  };
  const answers = new Map<number, Promise<Row>>();
  const update = new Endpoint(({ id }: Id, _body: object) => answers.get(id) as Promise<Row>, {
    name: 'update',
    schema: Article,
    sideEffect: true,
    getOptimisticResponse: (_: unknown, params: Id, body: object) =>
      ({ ...params, ...body }) as never,
  });
  const set = (id: number, fields: object): void =>
    void controller.setResponse(get, { id }, { id, ...fields });
  return {
    name: 'data-client',
    ingest: (rows) => void controller.setResponse(getList, rows),
    readAll: () => touch(list()),
    mount(ids, form) {
      let runs = 0;
      if (form === 'membership') return undefined;
      if (form === 'none') {
        for (const id of ids) {
          watch(
            () => controller.getResponse(get, { id }, visible()).data,
            () => runs++,
          );
        }
        return () => runs;
      }
      const show = rowViews(ids, list());
      watch(list, () => (runs += show(list()) + 1));
      return () => runs;
    },
    mountDerived() {
      let runs = 0;
      const sorted = new Query(articles, (rows) => openOf(rows as never as Row[]).sort(byScore));
      const figures = new Query(articles, (rows) => figuresOf(openOf(rows as never as Row[])));
      for (const query of [sorted, figures]) {
        watch(
          () => controller.getResponse(query as never as typeof getList, visible()).data,
          () => runs++,
        );
      }
      return () => runs;
    },
    changeRow: (id, title) => set(id, { title }),
    changeScore: (id, score) => set(id, { score }),
    changeAuthor: (id, name) => void controller.setResponse(getAuthor, { id }, { id, name }),
    push: (row) => void controller.setResponse(create, row),
    // a stored list is reordered by storing it again
    move: (id) =>
      void controller.setResponse(getList, [
        ...list().filter((row) => row.id === id),
        ...list().filter((row) => row.id !== id),
      ]),
    remove: (id) => void controller.setResponse(destroy, { id }, { id }),
    optimistic(id, title, answer) {
      answers.set(id, answer);
      return controller.fetch(update, { id }, { title });
    },
  };
}
