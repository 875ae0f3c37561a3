/** The code of resources, and of operations outside of resources. */
import { ResourceAddress } from './ResourceAddress.ts';
import { docComment, lay } from './CodePiece.ts';
import type { CodePiece } from './CodePiece.ts';
import type { Definition } from './Document.ts';
import { Endpoints } from './Endpoints.ts';
import { pascal, singular } from './ModuleNames.ts';
import type { DescribedOperation } from './DescribedOperation.ts';
import { segmentText, textOfPath, withoutEnd } from './Path.ts';
import type { Path } from './Path.ts';
import { planOf } from './ApiPlan.ts';
import type { ResourcePlan } from './ApiPlan.ts';
import type { Renames } from './Renames.ts';
import { codeOf, resourceText } from './resourceText.ts';
import type { Writers } from './Schemas.ts';

export interface CallNames {
  readonly renames: Renames;
  /** A subclass of RestEndpoint for all endpoints, if there is one. */
  readonly endpoint: string | undefined;
}

export interface CallTexts {
  readonly texts: readonly string[];
  readonly resources: readonly (readonly [name: string, plan: ResourcePlan])[];
}

export function callTexts(
  operations: readonly DescribedOperation[],
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
    const all = new Map<string, CodePiece>([['urlPrefix', 'urlPrefix'], ...told]);
    const made: CodePiece = [`new ${endpoint ?? 'RestEndpoint'}(`, codeOf(all), ')'];
    const name = operation.isRenamed ? operation.name : writers.names.take(operation.name);
    return docComment(operation.doc) + lay([`export const ${name} = `, made, ';']);
  });
  return { texts: [...texts, ...single], resources: found };
}

function addressOf(
  operations: readonly DescribedOperation[],
  { identities }: Writers,
): ResourceAddress {
  const lists = new Map<string, Definition>();
  const keyOf = (path: Path) => JSON.stringify(path);
  for (const { method, segments, answer } of operations) {
    const rows = method === 'GET' ? identities.rowsIn(answer.shape) : undefined;
    if (rows !== undefined) lists.set(keyOf(segments), rows.of);
  }
  return new ResourceAddress(identities, (path) => lists.get(keyOf(path)));
}

/** `Todo` gives `TodoResource`; a name that already ends with Resource gets an s. */
const resourceOf = (entity: string): string =>
  entity.endsWith('Resource') ? `${entity}s` : `${entity}Resource`;

/** The words of a path, as a name: `/user/memberships/orgs/{org}` gives `UserMembershipOrg`. */
function wordsIn(path: Path): string {
  const words = withoutEnd(path).map(segmentText);
  const telling = words.filter((word) => !/^(?:api|v\d+|[\d.-]+)?$/i.test(word));
  return telling.map((each) => pascal(singular(each), '')).join('') || 'Api';
}
