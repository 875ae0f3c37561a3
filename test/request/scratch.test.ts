import { Collection, Delete } from 'signalbox';
import { expect, test } from 'vitest';
import { refusal, refused, settled, Todo, world, wholeTodo } from '../setup/world.ts';
for (const replayed of [false])
test('[O5] scratch', async () => {
  const w = world();
  const { controller } = w;
  const get = w.read('get', Todo);
  const remove = w.mutation('remove', new Delete(Todo), { getOptimisticResponse: (_: unknown, params: object) => params });
  const view: any = controller.view(get, { id: 1 });
  view.retain(); view.revalidate();
  await w.call().answer(wholeTodo());
  const show = () => { const { data, deleted, status } = view.result.peek(); return [data?.title, deleted, status]; };
  const off = view.listen(() => console.log('shown', show()));
  console.log(show());
  const sent = refused(controller.fetch(remove, { id: 1 }));
  console.log(show());
  await controller.set(new Delete(Todo), { id: 1 }, { id: 1 });
  await settled();
  console.log('after push', show());
  await w.call().fail(refusal(500));
  await sent;
  console.log('after fail', show(), controller.get(Todo, { id: 1 }));
  off();
});
