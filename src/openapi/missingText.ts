/** Lists members of createResource that a resource lacks, with the reasons. */
import type { DescribedOperation } from './DescribedOperation.ts';
import { isAbove, isSame } from './Path.ts';
import type { Path } from './Path.ts';
import type { MemberName, ResourcePlan } from './ApiPlan.ts';

const METHODS: Readonly<Record<MemberName, readonly string[]>> = {
  get: ['GET'],
  getList: ['GET'],
  create: ['POST'],
  update: ['PUT', 'POST'],
  partialUpdate: ['PATCH'],
  delete: ['DELETE'],
};

/** Members that are not described, and members with another operation in their place. */
export function missingText(
  missing: readonly MemberName[],
  { segments }: ResourcePlan,
  operations: readonly DescribedOperation[],
): string {
  const others = missing.map((name) => [name, otherAt(name, segments, operations)] as const);
  const none = others.flatMap(([name, other]) => (other === undefined ? [name] : []));
  const lines = none.length === 0 ? [] : [`The description has no ${none.join(', ')}.`];
  for (const [name, other] of others) {
    if (other === undefined) continue;
    const { method, path } = other;
    const kind = name === 'getList' ? 'rows' : 'record';
    lines.push(
      `There is no ${name}: ${method} ${path} does not answer the ${kind} of this resource.`,
    );
  }
  return lines.join('\n');
}

/** The operation in the place of a member that does not match the member. */
function otherAt(
  name: MemberName,
  segments: Path,
  operations: readonly DescribedOperation[],
): DescribedOperation | undefined {
  const atList = name === 'getList' || name === 'create';
  return operations.find(
    (each) =>
      METHODS[name].includes(each.method) &&
      (atList ? isAbove(each.segments, segments) : isSame(each.segments, segments)),
  );
}
