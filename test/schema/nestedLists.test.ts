/** Lists of an entity: which list a Collection inside of it is. */
import { Collection, Controller, createResource, Entity, Values } from 'signalbox';
import { expect, test } from 'vitest';

class Tag extends Entity {
  id = '';
}

const tags = (...ids: string[]): Tag[] => ids.map((id) => Tag.fromJS({ id }));
const idsOf = (list: readonly Tag[] | undefined): string | undefined =>
  list?.map(({ id }) => id).join();

test('[N14] lists in entities whose primary key comes from their parent are lists of their own', async () => {
  class Row extends Entity {
    n = 0;
    tags: Tag[] = [];
    static override schema = { tags: new Collection([Tag]) };
    static override pk({ n }: Row, parent: { id: string } | undefined): string {
      return `${parent?.id}-${n}`;
    }
  }
  class Table extends Entity {
    id = '';
    rows: Row[] = [];
    static override schema = { rows: [Row] };
  }
  const { getList } = createResource({ path: '/tables/:id', schema: Table });
  const controller = new Controller();
  const rowsOf = (id: string) => [1, 2].map((n) => ({ n, tags: tags(`${id}${n}`) }));
  await controller.setResponse(getList, [
    { id: 'a', rows: rowsOf('a') },
    { id: 'b', rows: rowsOf('b') },
  ]);
  const { data } = controller.getResponse(getList);
  const shown = data?.map(({ rows }) => rows.map((row) => idsOf(row.tags)));
  expect(shown).toEqual([
    ['a1', 'a2'],
    ['b1', 'b2'],
  ]);
});

class Post extends Entity {
  id = '';
  meta: { tags: Tag[] } = { tags: [] };
  byTopic: Record<string, Tag[]> = {};
  static override schema = {
    meta: { tags: new Collection([Tag]) },
    byTopic: new Values(new Collection([Tag])),
  };
}

test('[N14] a list in an object of an entity is a list of the entity, and not the list of the resource', async () => {
  const Posts = createResource({ path: '/posts/:id', schema: Post });
  const Tags = createResource({ path: '/tags/:id', schema: Tag });
  const controller = new Controller();
  await controller.setResponse(Tags.getList, tags('a', 'b', 'c'));
  await controller.setResponse(Posts.getList, [
    { id: '1', meta: { tags: tags('a') } },
    { id: '2', meta: { tags: tags('b', 'c') } },
  ]);
  const { data } = controller.getResponse(Posts.getList);
  expect(data?.map(({ meta }) => idsOf(meta.tags))).toEqual(['a', 'b,c']);
  expect(idsOf(controller.getResponse(Tags.getList).data)).toBe('a,b,c');
});

test('[N14] lists in a map of an entity are one list for each name and entity', async () => {
  const controller = new Controller();
  await controller.set(Post, { id: '1' }, { byTopic: { x: tags('a'), y: tags('b') } });
  await controller.set(Post, { id: '2' }, { byTopic: { x: tags('c') } });
  const [one, two] = ['1', '2'].map((id) => controller.get(Post, { id })?.byTopic);
  expect([one?.['x'], one?.['y'], two?.['x']].map(idsOf)).toEqual(['a', 'b', 'c']);
});
