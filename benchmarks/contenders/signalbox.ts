/** Signalbox in the engine benchmark, through its public face. */
import { batch, effect } from '@preact/signals-core';
import * as library from 'signalbox';
import type { Reader, ReadonlySignal } from 'signalbox';
import {
  Collection,
  Controller,
  count,
  Delete,
  Endpoint,
  Entity,
  Query,
  sum,
  optimistic,
} from 'signalbox';
import { groupByScore, touch } from '../Contender.ts';
import type { Contender, Row } from '../Contender.ts';

/** `bench:compare` runs this file over older revisions, too: there, live data are a member of the reader. */
const liveDataOf = (reader: Reader): ReadonlySignal => {
  const { liveResult } = library as Partial<typeof library>;
  return liveResult?.(reader) ?? (reader as unknown as { live: ReadonlySignal }).live;
};

class Author extends Entity {
  id = 0;
  name = '';
  email = '';
  bio = '';
  followers = 0;
}

class Tag extends Entity {
  id = 0;
  name = '';
}

class Article extends Entity {
  id = 0;
  title = '';
  content = '';
  score = 0;
  completed = false;
  createdAt = 0;
  author: Author | null = null;
  tags: Tag[] = [];
  static override schema = { author: Author, tags: [Tag] };
}

const articles = new Collection([Article]);
const unsent = (): Promise<never> => Promise.reject(new Error('not sent'));
const getList = new Endpoint(unsent, { name: 'list', schema: articles });

const getByScore = new Endpoint((_params: { score: number }) => unsent(), {
  name: 'byScore',
  schema: articles,
});

export function signalbox(): Contender {
  const controller = new Controller({ optimistic });
  const list = controller.signal(getList);
  const answers = new Map<number, Promise<Row>>();
  const update = new Endpoint(
    ({ id }: { id: number }, _body: object) => answers.get(id) as Promise<Row>,
    {
      name: 'update',
      schema: Article,
      sideEffect: true,
      getOptimisticResponse: (_, params, body) => ({ ...params, ...body }),
    },
  );
  const counted = (...signals: { readonly value: unknown }[]): (() => number) => {
    let runs = 0;
    for (const signal of signals) {
      effect(() => {
        void signal.value;
        runs++;
      });
    }
    runs = 0;
    return () => runs;
  };
  return {
    name: 'signalbox',
    ingest: (rows) => void controller.setResponse(getList, rows),
    readAll: () => touch(list.value as never as Row[]),
    mount(ids, form) {
      const rows = ids.map((id) => controller.entity(Article, id));
      const whole = {
        none: () => [],
        snapshot: () => [list],
        membership: () => [liveDataOf(controller.view(getList))],
      };
      return counted(...rows, ...whole[form]());
    },
    mountDerived() {
      const filter = ({ completed }: Article) => !completed;
      const open = new Query(articles, { filter, sort: ['score', 'title'] });
      const aggregate = { count: count(), total: sum('score') };
      const figures = new Query(articles, { filter, aggregate });
      return counted(controller.query(open).result, controller.query(figures).result);
    },
    mountByScore: (rows) =>
      counted(
        ...groupByScore(rows).map((some, score) => {
          void controller.setResponse(getByScore, { score }, some);
          return controller.signal(getByScore, { score });
        }),
      ),
    changeScore: (id, score) => void controller.set(Article, { id }, { id, score }),
    changeRow: (id, title) => void controller.set(Article, { id }, { id, title }),
    changeAuthor: (id, name) => void controller.set(Author, { id }, { id, name }),
    push: (row) => void controller.set(articles.push, row),
    // the batch makes one wake-up of the two commits
    move: (id) =>
      batch(() => {
        void controller.set(articles.remove, { id });
        void controller.set(articles.unshift, { id });
      }),
    remove: (id) => void controller.set(new Delete(Article), { id }, {}),
    optimistic(id, title, answer) {
      answers.set(id, answer);
      return controller.fetch(update, { id }, { title });
    },
  };
}
