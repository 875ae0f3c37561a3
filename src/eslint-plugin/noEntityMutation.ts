/** The rule signalbox/no-entity-mutation. */
import {
  createRule,
  isEntityAnnotation,
  isEntityType,
  propertyName,
  signalboxName,
  typeOf,
  unwrap,
  valueOf,
  variableOf,
} from './ast.ts';
import type { Rule, RuleContext, SyntaxNode, Variable } from './ast.ts';

const mutators = /^(push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin)$/;

export const noEntityMutation: Rule = createRule(
  'Data of the store are changed by mutations.',
  '{{what}} is data of the store: it is frozen in development, and nobody is notified of a change in production. Use controller.fetch with a mutation, controller.set, or a copy.',
  (context) => {
    const check = (node: SyntaxNode, target: SyntaxNode): void => {
      if (nameOriginOf(context, target) !== 'stored') return;
      context.report({
        node,
        messageId: 'message',
        data: { what: context.sourceCode.getText(target) },
      });
    };
    const checkMember = (node: SyntaxNode, written: SyntaxNode): void => {
      const target = unwrap(written);
      if (target.type === 'MemberExpression') check(node, target['object']);
    };
    return {
      AssignmentExpression: (node) => checkMember(node, node['left']),
      UpdateExpression: (node) => checkMember(node, node['argument']),
      UnaryExpression(node) {
        if (node['operator'] === 'delete') checkMember(node, node['argument']);
      },
      CallExpression(node) {
        const callee = unwrap(node['callee']);
        if (callee.type !== 'MemberExpression') return;
        const name = propertyName(callee) ?? '';
        const isAssign = name === 'assign' && callee['object'].name === 'Object';
        const [first] = node['arguments'] as readonly SyntaxNode[];
        if (isAssign && first !== undefined) check(node, first);
        else if (mutators.test(name)) check(node, callee['object']);
      },
    };
  },
);

/** `stored`: a record, or a list of the store. `copy`: a new array with members of the store. */
export type NameOrigin = 'stored' | 'copy' | undefined;

const readers = /^use(Suspense|DLE|Cache|Live|Query|Select|Entity)$/;
const controllerReads = /^(get|getResponse|fetch|fetchIfStale)$/;
const oneMember = /^(find|findLast|at|get|pop|shift)$/;
const manyMembers = /^(filter|slice|concat|toSorted|toReversed|toSpliced|with|flat)$/;
const callbacks = /^(map|forEach|filter|find|findIndex|findLast|some|every|flatMap|sort|toSorted)$/;

function nameOriginOf(context: RuleContext, expression: SyntaxNode): NameOrigin {
  const node = unwrap(expression);
  return originBySyntax(context, node) ?? originByType(context, node);
}

/** Only if the parser has types. An instance that was created in this module is not stored data. */
function originByType(context: RuleContext, node: SyntaxNode): NameOrigin {
  if (/^(ThisExpression|Super)$/.test(node.type) || isMadeHere(context, node)) return undefined;
  return isEntityType(typeOf(context, node)) ? 'stored' : undefined;
}

function isMadeHere(context: RuleContext, node: SyntaxNode): boolean {
  const value = valueOf(context, node);
  if (value.type === 'NewExpression') return true;
  return value.type === 'CallExpression' && /^fromJS$/.test(methodOf(value) ?? '');
}

function originBySyntax(context: RuleContext, node: SyntaxNode): NameOrigin {
  switch (node.type) {
    case 'Identifier':
      return originOfName(context, node);
    case 'CallExpression':
      return originOfCall(context, node);
    case 'MemberExpression':
      return originOfMember(nameOriginOf(context, node['object']), node);
    case 'ConditionalExpression':
      return nameOriginOf(context, node['consequent']) ?? nameOriginOf(context, node['alternate']);
    case 'LogicalExpression':
      return nameOriginOf(context, node['left']) ?? nameOriginOf(context, node['right']);
    case 'ArrayExpression':
      return (node['elements'] as readonly (SyntaxNode | null)[]).some(
        (each) => each?.type === 'SpreadElement' && nameOriginOf(context, each['argument']),
      )
        ? 'copy'
        : undefined;
    default:
      return undefined;
  }
}

/** Members of stored data are stored; of the members of a copy, only the elements are. */
function originOfMember(of: NameOrigin, node: SyntaxNode): NameOrigin {
  return of === 'copy' && node['computed'] !== true ? undefined : of && 'stored';
}

const methodOf = ({ callee }: SyntaxNode): string | undefined =>
  callee.type === 'MemberExpression' ? propertyName(callee) : undefined;

function originOfCall(context: RuleContext, node: SyntaxNode): NameOrigin {
  const callee: SyntaxNode = node['callee'];
  const hook = signalboxName(context, callee);
  if (hook !== undefined) return readers.test(hook) ? 'stored' : undefined;
  if (callee.type !== 'MemberExpression') {
    // Solid's accessors are called
    return callee.type === 'Identifier' ? nameOriginOf(context, callee) : undefined;
  }
  const method = methodOf(node) ?? '';
  const { object } = callee;
  if (method === 'all' && signalboxName(context, object) === 'useSuspense') return 'copy';
  if (controllerReads.test(method) && isController(context, object)) return 'stored';
  if (!oneMember.test(method) && !manyMembers.test(method)) return undefined;
  if (nameOriginOf(context, object) === undefined) return undefined;
  return oneMember.test(method) ? 'stored' : 'copy';
}

function isController(context: RuleContext, node: SyntaxNode): boolean {
  const value = valueOf(context, node);
  return (
    /^(Call|New)Expression$/.test(value.type) &&
    /^(useController|Controller)$/.test(signalboxName(context, value['callee']) ?? '')
  );
}

/** True for a variable that is assigned again, and may have another value then. */
const isRewritten = ({ references }: Variable): boolean =>
  references.some((each) => each.isWrite() && each.init !== true);

function originOfName(context: RuleContext, name: SyntaxNode): NameOrigin {
  const variable = variableOf(context, name);
  const definition = variable?.defs[0];
  if (variable === undefined || definition === undefined || isRewritten(variable)) return undefined;
  if (definition.type === 'Parameter') return originOfParameter(context, definition.node, name);
  if (definition.type !== 'Variable') return undefined;
  const { id, init, parent } = definition.node;
  const loop: SyntaxNode = parent.parent;
  const source: SyntaxNode | null = loop.type === 'ForOfStatement' ? loop['right'] : init;
  if (source === null) return undefined;
  const origin = nameOriginOf(context, source);
  if (origin === undefined) return undefined;
  if (id.type !== 'Identifier') return inPattern(id, name['name']);
  return loop.type === 'ForOfStatement' ? 'stored' : origin;
}

/** The origin of a name bound by a pattern from stored data: a rest array is a new array. */
function inPattern(pattern: SyntaxNode, name: string): NameOrigin {
  const parts = (pattern['elements'] ?? pattern['properties']) as readonly (SyntaxNode | null)[];
  const isRest = parts.some(
    (each) => each?.type === 'RestElement' && each['argument'].name === name,
  );
  return isRest ? 'copy' : 'stored';
}

function originOfParameter(context: RuleContext, owner: SyntaxNode, name: SyntaxNode): NameOrigin {
  const parameters = owner['params'] as readonly SyntaxNode[];
  const at = parameters.findIndex((each) => binds(each, name['name']));
  if (isEntityAnnotation(context, parameters[at]?.['typeAnnotation'])) return 'stored';
  const { parent } = owner;
  if (parent.type === 'JSXExpressionContainer')
    return at === 0 ? rowOfFor(context, parent) : undefined;
  if (parent.type !== 'CallExpression' || parent['arguments'][0] !== owner) return undefined;
  const method = methodOf(parent) ?? '';
  const isElement = callbacks.test(method) && (at === 0 || (/sort/i.test(method) && at === 1));
  return isElement && nameOriginOf(context, parent['callee'].object) ? 'stored' : undefined;
}

/** `<For each={getTodos}>{(todo) => …}</For>` of signalbox. */
function rowOfFor(context: RuleContext, child: SyntaxNode): NameOrigin {
  const opening: SyntaxNode | undefined = child.parent['openingElement'];
  return opening && signalboxName(context, opening['name']) === 'For' ? 'stored' : undefined;
}

function binds(parameter: SyntaxNode, name: string): boolean {
  const pattern: SyntaxNode =
    parameter.type === 'AssignmentPattern' ? parameter['left'] : parameter;
  if (pattern.type === 'Identifier') return pattern['name'] === name;
  const parts = (pattern['elements'] ??
    pattern['properties'] ??
    []) as readonly (SyntaxNode | null)[];
  return parts.some(
    (each) => each !== null && binds(each['value'] ?? each['argument'] ?? each, name),
  );
}
