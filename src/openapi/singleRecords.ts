/** Finds records that exist only once: a path without params reads and changes them. */
import type { Definition } from './Document.ts';
import type { DescribedOperation } from './DescribedOperation.ts';
import type { Member, Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';

/** The identities of records from paths and lists. */
interface Known {
  of(definition: Definition): unknown;
  recordIn(shape: Shape | undefined): unknown;
  rowsIn(shape: Shape | undefined): unknown;
}

/** Records that one path alone reads and changes: as entities, readers see the change. */
export function singleRecords(
  operations: readonly DescribedOperation[],
  shapes: Shapes,
  known: Known,
): Definition[] {
  const wholeOf = ({ answer }: DescribedOperation) => whole(answer.shape, shapes, known);
  const read = operations.filter(({ method }) => method === 'GET');
  return read.flatMap((operation) => {
    const { path, segments } = operation;
    const of = wholeOf(operation);
    const hasParams = segments.some((each) => each.some((step) => 'param' in step));
    if (of === undefined || hasParams) return [];
    const changes = operations.some(
      (other) => other.path === path && other.method.startsWith('P') && wholeOf(other) === of,
    );
    const others = read.filter((other) => wholeOf(other) === of);
    return changes && others.length === 1 ? [of] : [];
  });
}

/** The name of a response that contains no record. */
function whole(shape: Shape | undefined, shapes: Shapes, known: Known): Definition | undefined {
  if (shape?.is !== 'name' || known.of(shape.of) !== undefined || shape.of.inline) return undefined;
  const { members } = shapes.of(shape.of) as { members?: readonly Member[] };
  const isPlain = members?.every(
    (each) => known.recordIn(each.shape) === undefined && known.rowsIn(each.shape) === undefined,
  );
  return members !== undefined && members.length > 0 && isPlain === true ? shape.of : undefined;
}
