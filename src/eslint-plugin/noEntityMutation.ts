/** The rule signalbox/no-entity-mutation. */
import { createRule, propertyName, unwrap } from './ast.ts';
import type { SyntaxNode, Rule } from './ast.ts';
import { nameOriginOf } from './nameOriginOf.ts';

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
