// A row created under a parent with a temporary key follows the parent, and no temporary key is sent.
import { Collection, Entity } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { refusal, refused, settled, world } from '../setup/world.ts';

class Task extends Entity {
  id = 0;
  title = '';
  projectId = 0;
}

const tasks = new Collection([Task], {
  nestKey: ({ id }: { readonly id: number }) => ({ projectId: id }),
});

class Project extends Entity {
  id = 0;
  name = '';
  tasks: Task[] = [];
  static override schema = { tasks };
}

const body = (_: unknown, fields: object) => fields;
const shown = { getOptimisticResponse: body };

/** A project whose creation is in flight, and the temporary key. */
async function stage(fields: object = { name: 'p', tasks: [] }) {
  const w = world();
  const { controller } = w;
  const projects = new Collection([Project]);
  const create = w.mutation('project', projects.push, shown);
  const addTask = w.mutation('task', tasks.push, shown);
  const getTasks = w.read('tasks', tasks);
  const plain = w.mutation('plain', Task);
  void controller.fetch(w.read('projects', projects), {});
  await w.call().answer([]);
  const done = controller.fetch(create, fields);
  done.catch(() => {});
  const project = w.call();
  const id = controller.get(projects, {})?.[0]?.id as number;
  const titles = (of: number) => controller.get(Project, { id: of })?.tasks.map((t) => t.title);
  return { w, controller, projects, project, done, id, titles, addTask, getTasks, plain };
}

describe.each([
  ['an empty list', { name: 'p', tasks: [] }],
  ['no list', { name: 'p' }],
])('a row created under a temporary parent with %s', (_, fields) => {
  const answers = [
    ['omits the list', { id: 7, name: 'p' }],
    ['has the list', { id: 7, name: 'p', tasks: [] }],
  ] as const;
  test.each(answers)(
    '[O13] a row under a temporary parent stays when the response for the parent %s',
    async (__, answer) => {
      const { w, controller, project, id, titles, addTask } = await stage(fields);
      const added = controller.fetch(addTask, { title: 't', projectId: id });
      expect(titles(id)).toEqual(['t']);
      expect(w.calls).toHaveLength(2);
      const seen: unknown[] = [];
      const stop = controller.entity(Project, String(id)).subscribe((row) => {
        seen.push(row?.tasks.map(({ title, projectId }) => [title, projectId === id]));
      });
      await project.answer(answer);
      expect(seen).toEqual([[['t', true]], [['t', false]]]);
      stop();
      expect([titles(7), titles(id)]).toEqual([['t'], ['t']]);
      expect(w.log.at(-1)).toBe('task {"title":"t","projectId":7}');
      await w.call().answer({ id: 70, title: 't', projectId: 7 });
      await added;
      expect(controller.get(Project, { id: 7 })?.tasks.map((task) => task.id)).toEqual([70]);
      expect(controller.get(tasks, { projectId: 7 })?.map((task) => task.id)).toEqual([70]);
    },
  );

  test('[O13] a row under a temporary parent is removed when its creation fails, and the list of the parent stays', async () => {
    const { w, controller, project, id, titles, addTask } = await stage(fields);
    const added = controller.fetch(addTask, { title: 't', projectId: id });
    await project.answer({ id: 7, name: 'p' });
    void w.call().fail(refusal(500));
    await refused(added);
    expect(titles(7)).toEqual([]);
  });

  test('[O13] a creation under a temporary parent rejects with E6, and is not sent, when the creation of the parent fails', async () => {
    const { w, controller, projects, project, id, addTask } = await stage(fields);
    const added = refused(controller.fetch(addTask, { title: 't', projectId: id }));
    void project.fail(refusal(422));
    expect(await added).toMatchObject({ code: 'E6' });
    expect(w.calls).toHaveLength(2);
    expect(controller.get(projects, {})).toEqual([]);
  });

  test('[O13] a row under a temporary parent stays in the list if the parent is stored under the server key first', async () => {
    const { w, controller, project, id, titles, addTask } = await stage(fields);
    void controller.fetch(addTask, { title: 't', projectId: id });
    await controller.set(Project, { id: 7 }, { name: 'p', tasks: [] });
    await project.answer({ id: 7, name: 'p' });
    expect(titles(7)).toEqual(['t']);
    await w.call().answer({ id: 70, title: 't', projectId: 7 });
    expect(titles(7)).toEqual(['t']);
  });

  test('[O13] a list requested by the temporary key of the parent is fetched by the server key', async () => {
    const { w, controller, project, id, getTasks, addTask } = await stage(fields);
    const read = controller.fetch(getTasks, { projectId: id });
    void controller.fetch(addTask, { title: 't', projectId: id });
    await project.answer({ id: 7, name: 'p' });
    expect(w.log).toContain('tasks {"projectId":7}');
    await w.call(w.log.indexOf('tasks {"projectId":7}')).answer([]);
    expect((await read).map((task: Task) => task.title)).toEqual(['t']);
  });

  test('[O13] an invalid response for the parent removes the parent and its temporary list', async () => {
    const { w, controller, projects, project, id, done, addTask } = await stage(fields);
    const added = refused(controller.fetch(addTask, { title: 't', projectId: id }));
    void project.answer({ id: 7, name: 'p', tasks: 'none' });
    expect(await refused(done)).toMatchObject({ status: 400 });
    expect(await added).toMatchObject({ code: 'E6' });
    expect(controller.get(projects, {})).toEqual([]);
    await controller.set(Project, { id: 7 }, { name: 'p', tasks: [{ id: 1, title: 'true' }] });
    expect(controller.get(tasks, { projectId: 7 })?.map(({ title }) => title)).toEqual(['true']);
    expect(w.calls).toHaveLength(2);
  });
});

describe('a temporary key in a body', () => {
  test('[O13] a temporary key in a body is replaced at any depth: objects, arrays, names, entities', async () => {
    const { w, controller, project, id, plain } = await stage();
    const row = controller.get(Project, { id });
    void controller.fetch(plain, {
      title: 't',
      project: { id, of: [{ id }, String(id)] },
      tags: [id, 5],
      order: { [id]: 1 },
      row,
    });
    expect(w.calls).toHaveLength(2);
    await project.answer({ id: 7, name: 'p' });
    const [sent] = w.call().args as [Record<string, unknown>];
    expect(sent).toMatchObject({
      title: 't',
      project: { id: 7, of: [{ id: 7 }, 7] },
      tags: [7, 5],
      order: { 7: 1 },
    });
    expect(sent['row']).toBeInstanceOf(Project);
    expect(JSON.stringify(sent)).not.toContain(String(id));
  });

  test('[O13] a temporary key in forms and search params is replaced, and the passed form is unchanged', async () => {
    const { w, controller, project, id, plain } = await stage();
    const form = new FormData();
    form.append('project', String(id));
    form.append('file', new Blob(['x']), 'x.txt');
    const search = new URLSearchParams({ project: String(id) });
    void controller.fetch(plain, {}, form);
    void controller.fetch(plain, {}, search);
    await project.answer({ id: 7, name: 'p' });
    const sent = w.calls.slice(2).map(({ args }) => args[1] as FormData);
    expect(sent.map((one) => one.get('project'))).toEqual(['7', '7']);
    expect(sent[0]?.get('file')).toMatchObject({ name: 'x.txt' });
    expect(form.get('project')).toBe(String(id));
  });

  test('[O13] a temporary key in a cyclic argument is replaced, and the cycle is kept', async () => {
    const { w, controller, project, id, plain } = await stage();
    const knot: Record<string, unknown> = { id };
    knot['self'] = knot;
    void controller.fetch(plain.extend({ key: () => 'plain' } as object), knot);
    await project.answer({ id: 7, name: 'p' });
    const [sent] = w.call().args as [typeof knot];
    expect([sent['id'], sent['self']]).toEqual([7, sent]);
  });

  test('[O13] a request with the temporary key of a failed creation rejects with E6, and is not sent, at any depth', async () => {
    const { w, controller, project, id, plain } = await stage();
    const waiting = refused(controller.fetch(plain, { project: { id } }));
    void project.fail(refusal(500));
    expect(await waiting).toMatchObject({ code: 'E6' });
    const later = refused(controller.fetch(plain, { tags: [id] }));
    expect(await later).toMatchObject({ code: 'E6' });
    expect(w.calls).toHaveLength(2);
  });

  test('[O13] a request with an unknown temporary key is not sent', async () => {
    const { w, controller, plain } = await stage();
    const foreign = Number.MIN_SAFE_INTEGER + 123_456;
    const sent = refused(controller.fetch(plain, { project: { id: foreign } }));
    expect(await sent).toMatchObject({ code: 'E6' });
    await settled();
    expect(w.calls).toHaveLength(2);
  });
});
