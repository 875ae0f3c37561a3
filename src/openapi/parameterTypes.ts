/** Types of the headers and cookies of operations, as sent by `getHeaders`: each value is a text. */
import { docComment, lay } from './CodePiece.ts';
import { pascal } from './ModuleNames.ts';
import type { ModuleNames } from './ModuleNames.ts';
import type { DescribedOperation } from './operationsOf.ts';
import { choice, withoutNull, word } from './Shape.ts';
import type { Member, Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';
import type { TypePrinter } from './TypePrinter.ts';

/** A type for the headers of an operation, and another for the cookies. */
export function parameterTypes(
  operations: readonly DescribedOperation[],
  names: ModuleNames,
  { types, shapes }: { readonly types: TypePrinter; readonly shapes: Shapes },
): string[] {
  return operations.flatMap(({ name, method, path, headers, cookies }) => {
    const textOf = (kind: string, given: readonly Member[]) => {
      if (given.length === 0) return [];
      const doc = docComment(`${kind} of ${method} ${path}, for \`getHeaders\`.`);
      const members = given.map((each) => ({ ...each, shape: asText(each.shape, shapes) }));
      const shape = { is: 'object', members, rest: undefined } as const;
      const parts = types.members(shape, { view: 'write', dates: 'text', docs: true });
      const type = lay({ open: '{', close: '}', parts, mark: ';', tall: true });
      // an interface would not fit HeadersInit
      return [`${doc}export type ${names.take(`${pascal(name)}${kind}`)} = ${type};`];
    };
    return [...textOf('Headers', headers), ...textOf('Cookies', cookies)];
  });
}

/** The texts that express a value. */
function asText(shape: Shape, shapes: Shapes): Shape {
  const followed = shapes.follow(withoutNull(shape).shape);
  if (followed.is === 'choice') return choice(followed.of.map((each) => asText(each, shapes)));
  if (followed.is !== 'word') return word('string');
  const { keywordType } = followed;
  if (/^['"]/.test(keywordType)) return followed;
  if (keywordType === 'number') return word('`${number}`');
  if (keywordType === 'boolean') return choice([word("'true'"), word("'false'")]);
  return /^(?:-?\d|true$|false$)/.test(keywordType) ? word(`'${keywordType}'`) : word('string');
}
