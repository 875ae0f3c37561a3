/** Detects entity classes. */
import { signalboxName, typeOf, unwrap, variableOf } from './ast.ts';
import type { Context, SyntaxNode, Type } from './ast.ts';

/** By the base class, through the classes of the module, and by its type if the parser has types. */
export function isEntityClass(context: Context, node: SyntaxNode): boolean {
  const base: SyntaxNode | null = node['superClass'];
  if (base === null) return false;
  return isEntityBase(context, unwrap(base)) || isEntityType(typeOf(context, node['id'] ?? node));
}

function isEntityBase(context: Context, base: SyntaxNode): boolean {
  if (base.type === 'CallExpression')
    return signalboxName(context, base['callee']) === 'EntityMixin';
  if (/^(Entity|Resource)$/.test(signalboxName(context, base) ?? '')) return true;
  if (base.type !== 'Identifier') return false;
  const definition = variableOf(context, base)?.defs[0];
  return definition?.type === 'ClassName' && isEntityClass(context, definition.node);
}

/** True if the class of a record, or one of its bases, is `Entity` or made by `EntityMixin`. */
export function isEntityType(type: Type | undefined): boolean {
  if (type === undefined) return false;
  const { name } = type.symbol ?? {};
  if (name === 'Entity' || name === 'EntityInstance') return true;
  // primitives have no bases
  return (type.getBaseTypes?.() ?? type.types ?? []).some(isEntityType);
}

/** The class of the module that a type annotation names, if it is an entity class. */
export function isEntityAnnotation(context: Context, annotation: SyntaxNode | undefined): boolean {
  const name: SyntaxNode | undefined = annotation?.['typeAnnotation']?.typeName;
  if (name?.type !== 'Identifier') return false;
  const definition = variableOf(context, name)?.defs[0];
  return definition?.type === 'ClassName' && isEntityClass(context, definition.node);
}
