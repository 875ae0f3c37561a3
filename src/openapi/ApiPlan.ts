/** Groups operations: six per resource, others on the same records, and standalone operations. */
import type { Definition } from './ApiDocument.ts';
import { begins, isAbove, paramOf, segmentText, trailing, withoutEnd } from './Path.ts';
import type { Path } from './Path.ts';
import type { Identities } from './Identities.ts';
import type { DescribedOperation } from './operationsOf.ts';

export type MemberName = 'get' | 'getList' | 'create' | 'update' | 'partialUpdate' | 'delete';

export interface ResourcePlan {
  readonly of: Definition;
  /** The path of a single record. */
  readonly segments: Path;
  readonly members: Map<MemberName, DescribedOperation>;
  readonly extras: DescribedOperation[];
}

export interface ApiPlan {
  readonly resources: readonly ResourcePlan[];
  readonly alone: readonly DescribedOperation[];
}

const AT_ONE: Readonly<Record<string, MemberName>> = {
  GET: 'get',
  PUT: 'update',
  PATCH: 'partialUpdate',
  DELETE: 'delete',
};

export function planOf(operations: readonly DescribedOperation[], identities: Identities): ApiPlan {
  const found = [...byDetail(operations, identities), ...byList(operations, identities)];
  const owners = new Map<Definition, ResourcePlan>();
  const resources = found.filter((plan) => {
    const first = owners.get(plan.of) ?? plan;
    owners.set(plan.of, first);
    // another path to read a record is no separate resource; a path that deletes may delete only a link
    return plan === first || (plan.members.size > 1 && plan.members.has('get'));
  });
  for (const plan of resources)
    if (owners.get(plan.of) === plan) addOnlyList(plan, operations, identities);
  const used = new Set(resources.flatMap(({ members }) => [...members.values()]));
  const alone = operations.filter((operation) => {
    if (used.has(operation)) return false;
    const owner = ownerOf(operation, resources);
    owner?.extras.push(operation);
    return owner === undefined;
  });
  return { resources, alone };
}

/** `/files/{id}/comments` is the list of `/comments/{id}` if no other list is described. */
function addOnlyList(
  { of, segments, members }: ResourcePlan,
  operations: readonly DescribedOperation[],
  identities: Identities,
): void {
  if (members.has('getList')) return;
  const noun = wordOf(segments);
  const lists = operations.filter(
    (each) => each.method === 'GET' && identities.rowsOf(each)?.of === of,
  );
  const [only, another] = lists;
  if (only !== undefined && another === undefined && wordOf(only.segments) === noun)
    members.set('getList', only);
}

/** The last word of a path. */
const wordOf = (path: Path): string =>
  withoutEnd(path)
    .map(segmentText)
    .filter((text) => text !== '')
    .at(-1) ?? '';

function byDetail(
  operations: readonly DescribedOperation[],
  identities: Identities,
): ResourcePlan[] {
  const paths = new Map<string, DescribedOperation[]>();
  for (const operation of operations) {
    if (trailing(operation.segments).length === 0) continue;
    paths.set(operation.path, [...(paths.get(operation.path) ?? []), operation]);
  }
  const plans = [...paths.values()].flatMap((at): ResourcePlan[] => {
    const { segments } = at[0] as DescribedOperation;
    const lists = operations.filter((each) => isAbove(each.segments, segments));
    const of = recordOf(at, lists, identities);
    if (of === undefined) return [];
    const members = new Map(membersAt(at, of, identities));
    for (const [name, each] of membersAbove(lists, of, identities)) members.set(name, each);
    return members.size === 0 ? [] : [{ of, segments, members, extras: [] }];
  });
  const isHome = ({ of, segments }: ResourcePlan) => identities.homeOf(of) === segments;
  const rank = (plan: ResourcePlan) => (isHome(plan) ? 0 : 1);
  // the path that identifies a record, else the shortest path, gives the resource the plain name
  return plans.sort((a, b) => rank(a) - rank(b) || a.segments.length - b.segments.length);
}

function recordOf(
  at: readonly DescribedOperation[],
  lists: readonly DescribedOperation[],
  identities: Identities,
): Definition | undefined {
  const usual = at.filter(({ method }) => method !== 'POST');
  const records = usual.flatMap(({ response }) => identities.recordIn(response.shape) ?? []);
  const rows = lists.flatMap((each) => identities.rowsOf(each) ?? []);
  return usual.length === 0 ? undefined : (records[0] ?? rows[0])?.of;
}

/**
 * The operations at the path of a record: reads must return that record; changes may return anything except another.
 */
function membersAt(
  at: readonly DescribedOperation[],
  of: Definition,
  identities: Identities,
): [MemberName, DescribedOperation][] {
  const put = at.some(({ method }) => method === 'PUT');
  return at.flatMap((each): [MemberName, DescribedOperation][] => {
    const { method, response } = each;
    const name = method === 'POST' && !put ? 'update' : AT_ONE[method];
    if (name === undefined) return [];
    const isRecord = identities.recordIn(response.shape)?.of === of;
    const fits = isRecord || name === 'delete' || (CHANGES.has(method) && isOpen(each, identities));
    return fits ? [[name, each]] : [];
  });
}

const CHANGES = new Set(['PUT', 'PATCH']);

/** True for a response without entities: no content, or information about the change. */
function isOpen({ response }: DescribedOperation, identities: Identities): boolean {
  const { shape } = response;
  return identities.recordIn(shape) === undefined && identities.rowsIn(shape) === undefined;
}

function membersAbove(
  lists: readonly DescribedOperation[],
  of: Definition,
  identities: Identities,
): [MemberName, DescribedOperation][] {
  return lists.flatMap((each): [MemberName, DescribedOperation][] => {
    const { method, response } = each;
    if (method === 'GET') return identities.rowsOf(each)?.of === of ? [['getList', each]] : [];
    const creates = isOpen(each, identities) || identities.recordIn(response.shape)?.of === of;
    return method === 'POST' && creates ? [['create', each]] : [];
  });
}

/** Lists of records without a path for a single record. */
function byList(operations: readonly DescribedOperation[], identities: Identities): ResourcePlan[] {
  const lists = operations.filter(
    ({ method, segments }) => method === 'GET' && paramOf(segments.at(-1)) === undefined,
  );
  const plans = lists.flatMap((get): ResourcePlan[] => {
    const of = identities.rowsOf(get)?.of;
    if (of === undefined) return [];
    const segments = [...withoutEnd(get.segments), [{ param: 'id' }]];
    const known = operations.some(
      (each) =>
        isAbove(get.segments, each.segments) &&
        trailing(each.segments).length > 0 &&
        each.method !== 'POST' &&
        identities.recordIn(each.response.shape)?.of === of,
    );
    const at = operations.filter(({ path }) => path === get.path);
    const members = new Map(membersAbove(at, of, identities));
    return known ? [] : [{ of, segments, members, extras: [] }];
  });
  return plans.sort((a, b) => a.segments.length - b.segments.length);
}

/** The resource of the records at a path: of several, the resource with the longest path. */
function ownerOf(
  { segments }: DescribedOperation,
  resources: readonly ResourcePlan[],
): ResourcePlan | undefined {
  let owner: ResourcePlan | undefined;
  for (const each of resources) {
    const list = each.segments.filter((segment) => segment.length > 0).slice(0, -1);
    const fits = list.length > 0 && begins(segments, list);
    if (fits && each.segments.length > (owner?.segments.length ?? 0)) owner = each;
  }
  return owner;
}
