/** The rule signalbox/defined-pk. */
import { createRule, propertyName, typeOf, isEntityClass } from './ast.ts';
import type { RuleContext, SyntaxNode, Rule, Type } from './ast.ts';

export const definedPk: Rule = createRule(
  'pk() identifies each record.',
  'pk() may be {{value}}, which identifies nothing: such a response is refused. Return a string or a number.',
  (context) => ({
    MethodDefinition(node) {
      if (node['static'] === true || propertyName(node) !== 'pk') return;
      if (node['value'].body === null || !isEntityClass(context, node.parent.parent)) return;
      const found = absentReturn(context, node);
      if (found !== undefined) context.report({ ...found, messageId: 'message' });
    },
  }),
);

interface Found {
  readonly node: SyntaxNode;
  readonly data: { readonly value: string };
}

function absentReturn(context: RuleContext, method: SyntaxNode): Found | undefined {
  const returned = returnsOf(method['value'].body);
  if (returned.length === 0) return { node: method, data: { value: 'undefined' } };
  const fields = fieldsOf(method.parent);
  for (const each of returned) {
    const value: SyntaxNode | null = each['argument'];
    const name = value === null ? 'undefined' : absentIn(value, fields);
    if (name !== undefined) return { node: value ?? each, data: { value: name } };
  }
  const type = typeOf(context, method)?.getCallSignatures()[0]?.getReturnType();
  const name = absentType(type);
  return name === undefined ? undefined : { node: method, data: { value: name } };
}

const absentType = (type: Type | undefined): string | undefined =>
  [type, ...(type?.types ?? [])]
    .map((each) => each?.intrinsicName)
    .find((name) => name === 'undefined' || name === 'null' || name === 'void');

/** The return statements of a body, without the returns of nested functions. */
function returnsOf(node: SyntaxNode): SyntaxNode[] {
  if (node.type === 'ReturnStatement') return [node];
  if (/Function|Class/.test(node.type)) return [];
  return childrenOf(node).flatMap(returnsOf);
}

const childrenOf = (node: SyntaxNode): SyntaxNode[] =>
  Object.entries(node)
    .filter(([name]) => name !== 'parent')
    .flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : [value as unknown]))
    .filter((value): value is SyntaxNode => typeof (value as SyntaxNode | null)?.type === 'string');

type Fields = ReadonlyMap<string, SyntaxNode>;

const fieldsOf = (body: SyntaxNode): Fields =>
  new Map(
    (body['body'] as readonly SyntaxNode[])
      .filter(({ type }) => type === 'PropertyDefinition')
      .map((field) => [propertyName(field) ?? '', field]),
  );

/** The absent value that an expression may have instead of a key. */
function absentIn(value: SyntaxNode, fields: Fields): string | undefined {
  switch (value.type) {
    case 'Identifier':
      return value['name'] === 'undefined' ? 'undefined' : undefined;
    case 'Literal':
      return value['value'] === null || value['value'] === '' ? String(value['raw']) : undefined;
    case 'ChainExpression':
      return 'undefined';
    case 'ConditionalExpression':
      return absentIn(value['consequent'], fields) ?? absentIn(value['alternate'], fields);
    case 'LogicalExpression':
      // of `a ?? b` only the last operand counts, of `a && b` both
      return (
        (value['operator'] === '&&' ? absentIn(value['left'], fields) : undefined) ??
        absentIn(value['right'], fields)
      );
    case 'TemplateLiteral':
      // the text "undefined" would be the same key for many records
      return (value['expressions'] as readonly SyntaxNode[])
        .map((each) => absentIn(each, fields))
        .find((name) => name !== undefined);
    case 'MemberExpression':
      return value['object'].type === 'ThisExpression'
        ? absentField(fields.get(propertyName(value) ?? ''))
        : undefined;
    default:
      return undefined;
  }
}

/** The absent value of a field that is declared in the class. */
function absentField(field: SyntaxNode | undefined): string | undefined {
  if (field === undefined || field['declare'] === true) return undefined;
  const { value, optional, typeAnnotation } = field;
  const type: SyntaxNode | undefined = typeAnnotation?.typeAnnotation;
  const types = (
    (type?.type === 'TSUnionType' ? type['types'] : [type]) as (SyntaxNode | undefined)[]
  ).map((each) => each?.type);
  if (optional === true || types.includes('TSUndefinedKeyword')) return 'undefined';
  if (types.includes('TSNullKeyword')) return 'null';
  const name = value === null ? undefined : absentIn(value, new Map());
  // an empty text is the default until a response sets the field
  return name === 'undefined' || name === 'null' ? name : undefined;
}
