/** Resources, and the operations that belong to none, as code. */
import { Address } from './Address.ts';
import { docComment, lay } from './Code.ts';
import type { Code } from './Code.ts';
import type { Definition } from './Document.ts';
import { Endpoints } from './Endpoints.ts';
import { pascal, singular } from './Names.ts';
import type { Operation } from './Operation.ts';
import { textOf, textOfPath, withoutEnd } from './Path.ts';
import type { Path } from './Path.ts';
import { planOf } from './Plan.ts';
import type { ResourcePlan } from './Plan.ts';
import type { Renames } from './Renames.ts';
import { codeOf, resourceText } from './resourceText.ts';
import type { Writers } from './Schemas.ts';

export interface CallNames {
  readonly renames: Renames;
  /** A subclass of RestEndpoint that all endpoints are of, if there is one. */
  readonly endpoint: string | undefined;
}

export interface CallTexts {
  readonly texts: readonly string[];
  readonly resources: readonly (readonly [name: string, plan: ResourcePlan])[];
}

export function callTexts(
  operations: readonly Operation[],
  writers: Writers,
  { renames, endpoint }: CallNames,
): CallTexts {
  const endpoints = new Endpoints(writers, addressOf(operations, writers));
  const { resources, alone } = planOf(operations, writers.identities);
  const named = new Set<Definition>();
  const found = resources.map((plan) => {
    const byPath = `${wordsIn(plan.segments)}Resource`;
    const byRecord = named.has(plan.of) ? [] : [resourceOf(writers.types.nameOf(plan.of, 'read'))];
    named.add(plan.of);
    const given = renames.of('resources', textOfPath(plan.segments));
    return [given ?? writers.names.take(...byRecord, byPath), plan] as const;
  });
  const texts = found.map(([name, plan]) =>
    resourceText(plan, { name, endpoint }, { writers, endpoints, operations }),
  );
  const single = alone.map((operation) => {
    const told = endpoints.options(operation);
    const all = new Map<string, Code>([['urlPrefix', 'urlPrefix'], ...told]);
    const made: Code = [`new ${endpoint ?? 'RestEndpoint'}(`, codeOf(all), ')'];
    const name = operation.isRenamed ? operation.name : writers.names.take(operation.name);
    return docComment(operation.doc) + lay([`export const ${name} = `, made, ';']);
  });
  return { texts: [...texts, ...single], resources: found };
}

function addressOf(operations: readonly Operation[], { identities }: Writers): Address {
  const lists = new Map<string, Definition>();
  const keyOf = (path: Path) => JSON.stringify(path);
  for (const { method, segments, answer } of operations) {
    const rows = method === 'GET' ? identities.rowsIn(answer.shape) : undefined;
    if (rows !== undefined) lists.set(keyOf(segments), rows.of);
  }
  return new Address(identities, (path) => lists.get(keyOf(path)));
}

/** `Todo` gives `TodoResource`; what is called a resource already is one of several. */
const resourceOf = (entity: string): string =>
  entity.endsWith('Resource') ? `${entity}s` : `${entity}Resource`;

/** The words of a path, as a name: `/user/memberships/orgs/{org}` is of `UserMembershipOrg`. */
function wordsIn(path: Path): string {
  const words = withoutEnd(path).map(textOf);
  const telling = words.filter((word) => !/^(?:api|v\d+|[\d.-]+)?$/i.test(word));
  return telling.map((each) => pascal(singular(each), '')).join('') || 'Api';
}
