/** The rule signalbox/no-mutation-in-read-hook. */
import {
  createRule,
  memberType,
  propertyName,
  signalboxName,
  typeOf,
  unwrap,
  valueOf,
} from './ast.ts';
import type { Rule, RuleContext, SyntaxNode } from './ast.ts';

const readHooks =
  /^use(Suspense|DLE|Cache|Fetch|Live|Subscription|Error|Select|SignalQuery|Infinite)$/;
const listHooks = /^use(Suspense|DLE)All$/;
const resourceMutations = /^(create|update|partialUpdate|delete)$/;
const listMutations = /^(push|unshift|assign|remove|move)$/;

export const noMutationInReadHook: Rule = createRule(
  'Hooks that read get endpoints that read.',
  '{{hook}} reads: it would send {{endpoint}} at each mount. Call controller.fetch(…) in a handler.',
  (context) => {
    const check = (hook: string, argument: SyntaxNode | undefined): void => {
      const endpoint = argument && unwrap(argument);
      if (endpoint === undefined || !isMutation(context, endpoint)) return;
      const data = { hook, endpoint: context.sourceCode.getText(endpoint) };
      context.report({ node: endpoint, messageId: 'message', data });
    };
    return {
      CallExpression({ callee, arguments: args }) {
        const hook = signalboxName(context, callee);
        if (hook !== undefined && readHooks.test(hook)) return check(hook, args[0]);
        if (hook === undefined || !listHooks.test(hook)) return;
        for (const read of args[0]?.elements ?? []) check(hook, read.elements?.[0]);
      },
      JSXOpeningElement({ name, attributes }) {
        if (signalboxName(context, name) !== 'For') return;
        const each = (attributes as readonly SyntaxNode[]).find(
          (one) => one['name']?.name === 'each',
        );
        check('<For>', each?.['value']?.expression);
      },
    };
  },
);

function isMutation(context: RuleContext, node: SyntaxNode): boolean {
  const type = typeOf(context, node);
  const sideEffect = type && memberType(context, type, 'sideEffect');
  // a union or a plain boolean is inconclusive
  if (sideEffect?.intrinsicName === 'true') return true;
  const value = valueOf(context, node);
  if (value.type === 'MemberExpression') return isMutationMember(context, value);
  if (value.type === 'NewExpression') return isNewMutation(context, value);
  return value.type === 'CallExpression' && isMutationCall(context, value);
}

function isMutationMember(context: RuleContext, member: SyntaxNode): boolean {
  const name = propertyName(member) ?? '';
  if (resourceMutations.test(name)) return true;
  if (!listMutations.test(name)) return false;
  const list = valueOf(context, member['object']);
  return propertyNameOfMember(list) === 'getList' || isEndpoint(context, list);
}

const propertyNameOfMember = (node: SyntaxNode): string | undefined =>
  node.type === 'MemberExpression' ? propertyName(node) : undefined;

const isEndpoint = (context: RuleContext, node: SyntaxNode): boolean =>
  node.type === 'NewExpression' &&
  /^(Rest|GQL)?Endpoint$/.test(signalboxName(context, node['callee']) ?? '');

const isNewMutation = (context: RuleContext, node: SyntaxNode): boolean =>
  isEndpoint(context, node) && saidByOptions(node['arguments'].at(-1)) === true;

/** `endpoint.extend({ method: 'POST' })`, `endpoint.mutation(…)`. */
function isMutationCall(context: RuleContext, { callee, arguments: args }: SyntaxNode): boolean {
  const method = propertyNameOfMember(callee);
  if (method === 'mutation') return isEndpoint(context, valueOf(context, callee.object));
  if (method !== 'extend') return false;
  return saidByOptions(args.at(-1)) ?? isMutation(context, callee.object);
}

/** Whether options declare a mutation; undefined if the options do not decide. */
function saidByOptions(options: SyntaxNode | undefined): boolean | undefined {
  if (options?.type !== 'ObjectExpression') return undefined;
  const valueBy = (name: string): unknown =>
    (options['properties'] as readonly SyntaxNode[]).find(
      (each) => each.type === 'Property' && propertyName(each) === name,
    )?.['value'].value;
  const sideEffect = valueBy('sideEffect');
  if (typeof sideEffect === 'boolean') return sideEffect;
  const method = valueBy('method');
  return typeof method === 'string' ? !/^(GET|HEAD)$/i.test(method) : undefined;
}
