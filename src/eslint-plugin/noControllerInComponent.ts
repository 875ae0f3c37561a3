/** The rule signalbox/no-controller-in-component. */
import { createRule, importsFrom, propertyName, signalboxName } from './ast.ts';
import type { SyntaxNode, Rule } from './ast.ts';
import { renderingFunction } from './renderingFunction.ts';

export const noControllerInComponent: Rule = createRule(
  'A controller is made once, not at each render.',
  'Each render makes a Controller, and with it an empty store. Make it outside of the component, or in useState(() => new Controller()).',
  (context) => ({
    NewExpression(node) {
      if (signalboxName(context, node['callee']) !== 'Controller') return;
      const owner = renderingFunction(context, node);
      if (owner === undefined || isKept(node, owner)) return;
      // a component of Solid runs once
      if (importsFrom(context, /^(solid-js|@solidjs\/|signalbox\/solid)/)) return;
      context.report({ node, messageId: 'message' });
    },
  }),
);

/** `ref.current = new Controller()`, `kept.controller ??= new Controller()`. */
function isKept(node: SyntaxNode, owner: SyntaxNode): boolean {
  for (let each = node.parent; each !== owner; each = each.parent) {
    if (each.type !== 'AssignmentExpression') continue;
    const { operator, left } = each;
    if (operator === '??=' || operator === '||=') return true;
    if (left.type === 'MemberExpression' && propertyName(left) === 'current') return true;
  }
  return false;
}
