/** The rule signalbox/no-resource-in-component. */
import { createRule, signalboxName } from './ast.ts';
import type { SyntaxNode, Rule } from './ast.ts';
import { isEntityClass } from './entityClass.ts';
import { renderingFunction } from './renderingFunction.ts';

const makers =
  /^(createResource|resource|hookifyResource|EntityMixin|(Rest|GQL)?Endpoint|Collection|All|Query|Union|Values|Lazy|Scalar|Delete|Invalidate)$/;

export const noResourceInComponent: Rule = createRule(
  'Definitions are made once, outside of components.',
  'Each render makes {{name}} anew: another table, or another derivation that nothing is remembered of. Define it outside of the component.',
  (context) => {
    const check = (node: SyntaxNode, name: string | undefined): void => {
      if (name === undefined || renderingFunction(context, node) === undefined) return;
      context.report({ node, messageId: 'message', data: { name } });
    };
    const checkCall = (node: SyntaxNode): void => {
      const name = signalboxName(context, node['callee']);
      if (name !== undefined && makers.test(name)) check(node, name);
    };
    const checkClass = (node: SyntaxNode): void => {
      // EntityMixin(…) is reported itself
      if (node['superClass']?.type === 'CallExpression') return;
      if (isEntityClass(context, node)) check(node, node['id']?.name ?? 'an entity class');
    };
    return {
      CallExpression: checkCall,
      NewExpression: checkCall,
      ClassDeclaration: checkClass,
      ClassExpression: checkClass,
    };
  },
);
