/** Signalbox in the engine benchmark, through its public face. */
import { effect } from '@preact/signals-core';
import { Collection, Controller, count, Delete, Endpoint, Entity, Query, sum } from 'signalbox';
import { touch } from '../Contender.ts';
import type { Contender, Row, TitleChange } from '../Contender.ts';

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
const filter = ({ completed }: Article) => !completed;
const open = new Query(articles, { filter, sort: ['score', 'title'] });
const figures = new Query(articles, { filter, aggregate: { count: count(), total: sum('score') } });
const unsent = (): Promise<never> => Promise.reject(new Error('not sent'));
const getList = new Endpoint(unsent, { name: 'list', schema: articles });
// what the next request reaches
let server: TitleChange['send'];
const reach: (params: { id: number }, body: { title: string }) => Promise<object> = () => server();
const update = new Endpoint(reach, {
  name: 'update',
  sideEffect: true,
  schema: Article,
  getOptimisticResponse: (_, { id }, { title }) => ({ id, title }),
});

export function signalbox(): Contender {
  const controller = new Controller();
  const list = controller.signal(getList);
  return {
    name: 'signalbox',
    ingest: (rows) => void controller.setResponse(getList, rows),
    readAll: () => touch(list.value as never as Row[]),
    mount(live) {
      let runs = 0;
      for (const { id } of list.peek() ?? []) {
        const row = controller.entity(Article, id);
        effect(() => {
          void row.value;
          runs++;
        });
      }
      const whole = live ? controller.view(getList).live : list;
      effect(() => {
        void whole.value;
        runs++;
      });
      runs = 0;
      return () => runs;
    },
    mountDerived() {
      let runs = 0;
      for (const query of [open, figures]) {
        const { result } = controller.query<typeof open | typeof figures>(query);
        effect(() => {
          void result.value;
          runs++;
        });
      }
      runs = 0;
      return () => runs;
    },
    changeScore: (id, score) => void controller.set(Article, { id }, { id, score }),
    changeRow: (id, title) => void controller.set(Article, { id }, { id, title }),
    changeAuthor: (id, name) => void controller.set(Author, { id }, { id, name }),
    push: (row) => void controller.set(articles.push, row),
    remove: (id) => void controller.set(new Delete(Article), { id }, {}),
    update(id, title, send) {
      server = send;
      return controller.fetch(update, { id }, { title });
    },
    updateAll: (changes) =>
      controller.transaction(({ fetch }) => {
        for (const { id, title, send } of changes) {
          server = send;
          void fetch(update, { id }, { title });
        }
      }),
  };
}
