// A row that appears while older reads of lists are in flight: a list does not show a row that the filter excludes.
import { Collection, Entity } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { world } from '../setup/world.ts';

class Issue extends Entity {
  id = 0;
  title = '';
  status = '';
}

function stage() {
  const w = world();
  const { controller } = w;
  const issues = new Collection([Issue]);
  const list = w.read('list', issues);
  const get = w.read('get', Issue);
  const load = (params: object) => {
    const view = controller.view(list, params);
    view.retain();
    view.revalidate();
    return w.call();
  };
  const shown = (params: object) =>
    controller.get(issues, params)?.map(({ id, status }) => `${id} ${status}`);
  return { w, controller, get, load, shown };
}

const row = (status: string) => ({ id: 7, title: 'x', status });

describe('a list that was requested before a push', () => {
  test.each(['a push', 'a later read'])(
    '[N21] a list requested before %s with a status that the list excludes does not show the row',
    async (how) => {
      const { w, controller, get, load, shown } = stage();
      const open = load({ status: 'open' });
      const several = load({ status: ['open', 'new'] });
      if (how === 'a push') await controller.set(Issue, { id: 7 }, row('closed'));
      else {
        void controller.fetch(get, { id: 7 });
        await w.call().answer(row('closed'));
      }
      await open.answer([row('open')]);
      await several.answer([row('open')]);
      expect(shown({ status: 'open' })).toEqual([]);
      expect(shown({ status: ['open', 'new'] })).toEqual([]);
    },
  );

  // for the server, `status: 'open'` includes other statuses
  test.each(['before', 'after'])(
    '[N21] a row listed with another status stays in the list if a push %s the response has the same status',
    async (when) => {
      const { controller, load, shown } = stage();
      const open = load({ status: 'open' });
      const push = () => controller.set(Issue, { id: 7 }, row('triaged'));
      if (when === 'before') await push();
      await open.answer([row('triaged')]);
      if (when === 'after') await push();
      expect(shown({ status: 'open' })).toEqual(['7 triaged']);
    },
  );

  test('[N21] a row listed with another status stays in the list if an earlier push has a third status', async () => {
    const { controller, load, shown } = stage();
    const open = load({ status: 'open' });
    await controller.set(Issue, { id: 7 }, row('blocked'));
    await open.answer([row('triaged')]);
    expect(shown({ status: 'open' })).toEqual(['7 blocked']);
  });

  test('[N21] lists requested before a push show the row where the pushed status matches', async () => {
    const { w, controller, load, shown } = stage();
    const open = load({ status: 'open' });
    const closed = load({ status: 'closed' });
    const all = load({});
    await controller.set(Issue, { id: 7 }, row('closed'));
    await all.answer([row('open')]);
    await closed.answer([row('closed')]);
    await open.answer([]);
    expect([shown({}), shown({ status: 'closed' }), shown({ status: 'open' })]).toEqual([
      ['7 closed'],
      ['7 closed'],
      [],
    ]);
    // the closed ones were requested before the push: the server may have read them before the change
    expect(w.log.slice(3)).toEqual(['list {"status":"closed"}']);
  });
});

test('[N21] the response of a list requested after the push decides the members', async () => {
  const { controller, load, shown } = stage();
  await controller.set(Issue, { id: 7 }, row('closed'));
  await load({ status: 'open' }).answer([row('open')]);
  expect(shown({ status: 'open' })).toEqual(['7 open']);
});

test('[N21] of three lists in flight together that contain the same row, the list requested last keeps the row', async () => {
  const { load, shown } = stage();
  const columns = ['new', 'open', 'closed'];
  const [news, open, closed] = columns.map((status) => load({ status }));
  await closed?.answer([row('closed')]);
  await open?.answer([row('open')]);
  await news?.answer([]);
  expect(columns.map((status) => shown({ status }))).toEqual([[], [], ['7 closed']]);
});
