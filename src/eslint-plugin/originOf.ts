/** Where expressions come from: whether they are data of the store. */
import { propertyName, signalboxName, typeOf, unwrap, valueOf, variableOf } from './ast.ts';
import type { Context, Node, Variable } from './ast.ts';
import { isEntityAnnotation, isEntityType } from './entityClass.ts';

/** `stored`: a record, or a list of the store. `copy`: an array of one's own with members of the store. */
export type Origin = 'stored' | 'copy' | undefined;

const readers = /^use(Suspense|DLE|Cache|Live|Query|Select|Entity)$/;
const controllerReads = /^(get|getResponse|fetch|fetchIfStale)$/;
const oneMember = /^(find|findLast|at|get|pop|shift)$/;
const manyMembers = /^(filter|slice|concat|toSorted|toReversed|toSpliced|with|flat)$/;
const callbacks = /^(map|forEach|filter|find|findIndex|findLast|some|every|flatMap|sort|toSorted)$/;

export function originOf(context: Context, expression: Node): Origin {
  const node = unwrap(expression);
  return originBySyntax(context, node) ?? originByType(context, node);
}

/** Only where the parser has types. An instance that was made here is one's own. */
function originByType(context: Context, node: Node): Origin {
  if (/^(ThisExpression|Super)$/.test(node.type) || isMadeHere(context, node)) return undefined;
  return isEntityType(typeOf(context, node)) ? 'stored' : undefined;
}

function isMadeHere(context: Context, node: Node): boolean {
  const value = valueOf(context, node);
  if (value.type === 'NewExpression') return true;
  return value.type === 'CallExpression' && /^fromJS$/.test(methodOf(value) ?? '');
}

function originBySyntax(context: Context, node: Node): Origin {
  switch (node.type) {
    case 'Identifier':
      return originOfName(context, node);
    case 'CallExpression':
      return originOfCall(context, node);
    case 'MemberExpression':
      return originOfMember(originOf(context, node['object']), node);
    case 'ConditionalExpression':
      return originOf(context, node['consequent']) ?? originOf(context, node['alternate']);
    case 'LogicalExpression':
      return originOf(context, node['left']) ?? originOf(context, node['right']);
    case 'ArrayExpression':
      return (node['elements'] as readonly (Node | null)[]).some(
        (each) => each?.type === 'SpreadElement' && originOf(context, each['argument']),
      )
        ? 'copy'
        : undefined;
    default:
      return undefined;
  }
}

/** Members of what is stored are stored, those of a copy where they are its elements. */
function originOfMember(of: Origin, node: Node): Origin {
  return of === 'copy' && node['computed'] !== true ? undefined : of && 'stored';
}

const methodOf = ({ callee }: Node): string | undefined =>
  callee.type === 'MemberExpression' ? propertyName(callee) : undefined;

function originOfCall(context: Context, node: Node): Origin {
  const callee: Node = node['callee'];
  const hook = signalboxName(context, callee);
  if (hook !== undefined) return readers.test(hook) ? 'stored' : undefined;
  if (callee.type !== 'MemberExpression') {
    // the accessors of Solid are called
    return callee.type === 'Identifier' ? originOf(context, callee) : undefined;
  }
  const method = methodOf(node) ?? '';
  const { object } = callee;
  if (method === 'all' && signalboxName(context, object) === 'useSuspense') return 'copy';
  if (controllerReads.test(method) && isController(context, object)) return 'stored';
  if (!oneMember.test(method) && !manyMembers.test(method)) return undefined;
  if (originOf(context, object) === undefined) return undefined;
  return oneMember.test(method) ? 'stored' : 'copy';
}

function isController(context: Context, node: Node): boolean {
  const value = valueOf(context, node);
  return (
    /^(Call|New)Expression$/.test(value.type) &&
    /^(useController|Controller)$/.test(signalboxName(context, value['callee']) ?? '')
  );
}

/** A name that is written again later may stand for something else. */
const isRewritten = ({ references }: Variable): boolean =>
  references.some((each) => each.isWrite() && each.init !== true);

function originOfName(context: Context, name: Node): Origin {
  const variable = variableOf(context, name);
  const definition = variable?.defs[0];
  if (variable === undefined || definition === undefined || isRewritten(variable)) return undefined;
  if (definition.type === 'Parameter') return originOfParameter(context, definition.node, name);
  if (definition.type !== 'Variable') return undefined;
  const { id, init, parent } = definition.node;
  const loop: Node = parent.parent;
  const source: Node | null = loop.type === 'ForOfStatement' ? loop['right'] : init;
  if (source === null) return undefined;
  const origin = originOf(context, source);
  if (origin === undefined) return undefined;
  if (id.type !== 'Identifier') return inPattern(id, name['name']);
  return loop.type === 'ForOfStatement' ? 'stored' : origin;
}

/** What a pattern binds a name to, of data of the store: the rest of an array is a new one. */
function inPattern(pattern: Node, name: string): Origin {
  const parts = (pattern['elements'] ?? pattern['properties']) as readonly (Node | null)[];
  const isRest = parts.some(
    (each) => each?.type === 'RestElement' && each['argument'].name === name,
  );
  return isRest ? 'copy' : 'stored';
}

function originOfParameter(context: Context, owner: Node, name: Node): Origin {
  const parameters = owner['params'] as readonly Node[];
  const at = parameters.findIndex((each) => binds(each, name['name']));
  if (isEntityAnnotation(context, parameters[at]?.['typeAnnotation'])) return 'stored';
  const { parent } = owner;
  if (parent.type === 'JSXExpressionContainer')
    return at === 0 ? rowOfFor(context, parent) : undefined;
  if (parent.type !== 'CallExpression' || parent['arguments'][0] !== owner) return undefined;
  const method = methodOf(parent) ?? '';
  const isElement = callbacks.test(method) && (at === 0 || (/sort/i.test(method) && at === 1));
  return isElement && originOf(context, parent['callee'].object) ? 'stored' : undefined;
}

/** `<For each={getTodos}>{(todo) => …}</For>` of signalbox. */
function rowOfFor(context: Context, child: Node): Origin {
  const opening: Node | undefined = child.parent['openingElement'];
  return opening && signalboxName(context, opening['name']) === 'For' ? 'stored' : undefined;
}

function binds(parameter: Node, name: string): boolean {
  const pattern: Node = parameter.type === 'AssignmentPattern' ? parameter['left'] : parameter;
  if (pattern.type === 'Identifier') return pattern['name'] === name;
  const parts = (pattern['elements'] ?? pattern['properties'] ?? []) as readonly (Node | null)[];
  return parts.some(
    (each) => each !== null && binds(each['value'] ?? each['argument'] ?? each, name),
  );
}
