/** Random clicks in an issue tracker: at rest, every mounted list equals the server's. */
import * as fc from 'fast-check';
import { Controller, createResource, Delete, Entity, optimistic } from 'signalbox';
import type { EndpointInterface } from 'signalbox';
import { StoppedClock } from '../setup/world.ts';
import { endpointClassOf } from './SlowServer.ts';
import { TrackerServer } from './trackerServer.ts';
import type { Stored } from './trackerServer.ts';

class Issue extends Entity {
  id = 0;
  title = '';
  status = '';
  assignee: number | null = null;
  tags: string[] = [];
  projectId = 0;
}

const deletion = new Delete(Issue);

type Params = Readonly<Record<string, unknown>>;

const LISTS: readonly Params[] = [
  {},
  { status: 'new' },
  { status: ['new', 'open'] },
  { status: 'done', assignee: 1 },
  { assignee: 1 },
  { assignee: [1, 2] },
  { assignee: 3 },
  { tags: 'x' },
  { tags: ['x', 'y'] },
  { projectId: 1 },
  { q: 'b' },
  { q: 'a', status: 'open' },
  { sort: '-title' },
  { sort: '-title', status: 'open' },
  { top: 1 },
];

const PROJECTS = [1, 2];
const searchParams: Params = {};

export type Verb = 'create' | 'patch' | 'put' | 'remove' | 'move' | 'push' | 'delete elsewhere';

export interface Click {
  readonly do: Verb | 'answer' | 'refuse' | 'read' | 'mount' | 'unmount' | 'drag';
  readonly at: number;
  readonly fields: Partial<Omit<Stored, 'id'>>;
}

const fields: fc.Arbitrary<Click['fields']> = fc.record(
  {
    title: fc.constantFrom('a', 'b', 'ab', 'c'),
    status: fc.constantFrom('new', 'open', 'done'),
    assignee: fc.constantFrom(null, 1, 2, 3),
    tags: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { maxLength: 2 }),
    projectId: fc.constantFrom(...PROJECTS),
  },
  { requiredKeys: [] },
);

const CLICKS: readonly Click['do'][] = [
  ...([
    'create',
    'create',
    'patch',
    'patch',
    'patch',
    'drag',
    'drag',
    'put',
    'remove',
    'move',
  ] as const),
  ...(['push', 'push', 'delete elsewhere', 'refuse', 'read', 'mount', 'mount', 'unmount'] as const),
  ...Array.from({ length: 7 }, () => 'answer' as const),
];

export const click: fc.Arbitrary<Click> = fc.record({
  do: fc.constantFrom(...CLICKS),
  at: fc.nat(1_000),
  fields,
});

function resourcesOf(server: TrackerServer, isOptimistic: boolean) {
  const Tracked = endpointClassOf(server);
  const issues = createResource({
    path: '/issues/:id',
    schema: Issue,
    searchParams,
    Endpoint: Tracked,
    optimistic: isOptimistic,
  });
  const ofProject = createResource({
    path: '/projects/:projectId/issues/:id',
    schema: Issue,
    Endpoint: Tracked,
    optimistic: isOptimistic,
  });
  return { issues, ofProject };
}

const nextTask = () => new Promise((resolve) => setImmediate(resolve));

/** Plays the clicks; returns the differences when nothing is in flight any more. */
export async function playTracker(
  clicks: readonly Click[],
  isOptimistic: boolean,
): Promise<{ readonly faults: readonly string[]; readonly requests: number }> {
  const server = new TrackerServer();
  for (const id of [1, 2, 3, 4])
    server.insert({
      title: 'ab'[id % 2] as string,
      status: id > 2 ? 'open' : 'new',
      assignee: id % 2,
      projectId: 1 + (id % 2),
    });
  const clock = new StoppedClock();
  const controller = new Controller({ optimistic, clock, retry: 0, sweepAfter: Infinity });
  const { issues, ofProject } = resourcesOf(server, isOptimistic);
  const lists: readonly (readonly [EndpointInterface, Params])[] = [
    ...LISTS.map((params) => [issues.getList as EndpointInterface, params] as const),
    ...PROJECTS.map(
      (projectId) => [ofProject.getList as EndpointInterface, { projectId }] as const,
    ),
  ];
  const mounted = new Map<number, () => void>();
  const mount = (at: number) => {
    const [endpoint, params] = lists[at] as (typeof lists)[number];
    const view = controller.view(endpoint as typeof issues.getList, params);
    if (!mounted.has(at)) mounted.set(at, view.retain());
    view.revalidate();
  };
  const ignoreFailure = (promise: Promise<unknown>) => void promise.catch(() => {});
  /** A row that is shown somewhere. */
  const shownRow = (at: number) => {
    const known = [...server.rows.values()].filter(({ id }) => controller.get(Issue, { id }));
    return known[at % Math.max(1, known.length)];
  };

  const actions: Readonly<Record<Click['do'], (at: number, given: Click['fields']) => void>> = {
    answer: (at) => server.waiting.length > 0 && server.advance(at % server.waiting.length),
    refuse: () => (server.refuses = true),
    mount: (at) => mount(at % lists.length),
    unmount: (at) => {
      mounted.get(at % lists.length)?.();
      mounted.delete(at % lists.length);
    },
    read: (at) => {
      const row = shownRow(at);
      if (row) ignoreFailure(controller.fetch(issues.get, { id: row.id }));
    },
    create: (at, given) => {
      const { projectId = 1 } = given;
      if (at % 4 === 0)
        ignoreFailure(controller.fetch(ofProject.getList.push, { projectId }, given));
      else ignoreFailure(controller.fetch(issues.getList.push, {}, given));
    },
    drag: (at, given) => {
      const row = shownRow(at);
      const { status = 'open' } = given;
      if (row) ignoreFailure(controller.fetch(issues.partialUpdate, { id: row.id }, { status }));
    },
    patch: (at, given) => {
      const row = shownRow(at);
      if (row) ignoreFailure(controller.fetch(issues.partialUpdate, { id: row.id }, given));
    },
    put: (at, given) => {
      const row = shownRow(at);
      if (row) ignoreFailure(controller.fetch(issues.update, { id: row.id }, { ...row, ...given }));
    },
    move: (at, given) => {
      const row = shownRow(at);
      if (row) ignoreFailure(controller.fetch(issues.getList.move, { id: row.id }, given));
    },
    remove: (at) => {
      const row = shownRow(at);
      if (row) ignoreFailure(controller.fetch(issues.delete, { id: row.id }));
    },
    push: (at, given) => {
      const row = shownRow(at);
      if (!row) return;
      // a push does not say which texts a search finds
      const { title: _title, ...others } = given;
      Object.assign(row, others);
      // a row that was never received may have changed
      if (controller.get(Issue, { id: row.id }) === undefined) {
        controller.expireAll(issues.getList);
        controller.expireAll(ofProject.getList);
      } else void controller.set(Issue, { id: row.id }, { ...row });
    },
    'delete elsewhere': (at) => {
      const row = shownRow(at);
      if (!row) return;
      server.rows.delete(row.id);
      void controller.set(deletion, { id: row.id }, { id: row.id });
    },
  };
  for (const at of [0, 1, 2, 5]) mount(at);
  for (const { do: verb, at, fields: given } of clicks) {
    actions[verb](at, given);
    clock.advance(200);
    await nextTask();
  }
  await nextTask();
  for (let left = 2_000; server.waiting.length > 0 && left > 0; left--) {
    server.advance(0);
    clock.advance(200);
    await nextTask();
    await nextTask();
  }
  const faults = server.waiting.length > 0 ? ['requests without end'] : [];
  for (const at of mounted.keys()) {
    const [endpoint, params] = lists[at] as (typeof lists)[number];
    const { data } = controller.getResponse(endpoint, params) as {
      readonly data?: readonly Issue[];
    };
    const isNested = endpoint === (ofProject.getList as EndpointInterface);
    const search = new URLSearchParams(
      Object.entries(isNested ? {} : params).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, String(one)]),
      ),
    );
    const expected = server.list(search, isNested ? String(params['projectId']) : undefined);
    const texts = [data?.map(textOf), expected.map(textOf)];
    // the next read decides the position of a new row
    const [seen, wanted] = texts.map((all) => all?.slice().sort());
    if (String(seen) !== String(wanted))
      faults.push(
        `${isNested ? 'nested ' : ''}${JSON.stringify(params)} shows ${String(seen)}, not ${String(wanted)}`,
      );
  }
  return { faults, requests: server.requests };
}

const textOf = ({ id, title, status, assignee, tags, projectId }: Stored | Issue): string =>
  [id, title, status, assignee, tags.join('+'), projectId].join(' ');
