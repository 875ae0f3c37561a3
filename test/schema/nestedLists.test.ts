/** Lists of an entity: which list a Collection inside of it is. */
import { Collection, Controller, createResource, Entity } from 'signalbox';
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
