/** Types of the headers and cookies of operations, which are set in `getHeaders`, not in a call. */
import { docComment, lay } from './CodePiece.ts';
import { pascal } from './ModuleNames.ts';
import type { ModuleNames } from './ModuleNames.ts';
import type { DescribedOperation } from './DescribedOperation.ts';
import type { Member } from './Shape.ts';
import { DATE_INPUT_TYPE } from './TypePrinter.ts';
import type { TypePrinter } from './TypePrinter.ts';

/** One interface for the headers of an operation, and one for its cookies. */
export function parameterTypes(
  operations: readonly DescribedOperation[],
  names: ModuleNames,
  types: TypePrinter,
): string[] {
  return operations.flatMap(({ name, method, path, headers, cookies }) => {
    const text = (kind: string, members: readonly Member[]) => {
      if (members.length === 0) return [];
      const doc = docComment(`${kind} of ${method} ${path}, for \`getHeaders\`.`);
      const shape = { is: 'object', members, rest: undefined } as const;
      const parts = types.members(shape, { view: 'write', dates: DATE_INPUT_TYPE, docs: true });
      const type = lay({ open: '{', close: '}', parts, mark: ';', tall: true });
      return [`${doc}export interface ${names.take(`${pascal(name)}${kind}`)} ${type}`];
    };
    return [...text('Headers', headers), ...text('Cookies', cookies)];
  });
}
