/** The rules signalbox/no-resource-in-component and no-controller-in-component: objects that each render creates anew. */
import { createRule, signalboxName, importsFrom, propertyName, isEntityClass } from './ast.ts';
import type { SyntaxNode, Rule, RuleContext } from './ast.ts';

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

const isFunction = ({ type }: SyntaxNode): boolean =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);

/**
 * The component or hook that runs `node` at each render; undefined if `node` runs in a module, a handler, an effect, an
 * initializer of state, or a function that may be called from anywhere.
 */
function renderingFunction(context: RuleContext, node: SyntaxNode): SyntaxNode | undefined {
  let owner: SyntaxNode | null = node.parent;
  while (owner !== null && !isFunction(owner)) owner = owner.parent;
  // an async component is a server component, and renders once
  if (owner === null || owner['async'] === true) return undefined;
  return isRendering(context, owner) ? owner : undefined;
}

function isRendering(context: RuleContext, owner: SyntaxNode): boolean {
  const { parent } = owner;
  if (parent.type === 'MethodDefinition')
    return propertyName(parent) === 'render' && isView(parent);
  const name = nameOf(owner);
  if (/^use[A-Z]/.test(name)) return true;
  return /^[A-Z]/.test(name) && renders.test(context.sourceCode.getText(owner));
}

// markup, a hook or a function that creates elements: a capitalized name alone does not make a component
const renders = /\buse[A-Z]\w*\s*\(|<\/|\/>|\b(?:createElement|createComponent|h|jsxs?)\s*\(/;

const isView = (method: SyntaxNode): boolean => {
  const base: SyntaxNode | null = method.parent.parent['superClass'];
  return String(base?.['name'] ?? base?.['property']?.name).endsWith('Component');
};

/** The name of the function, or of the variable that holds the function, also through `memo` and `forwardRef`. */
function nameOf(owner: SyntaxNode): string {
  if (owner['id']) return owner['id'].name as string;
  let { parent } = owner;
  while (parent.type === 'CallExpression' && /^(memo|forwardRef)$/.test(calleeName(parent))) {
    parent = parent.parent;
  }
  if (parent.type === 'VariableDeclarator') return String(parent['id'].name);
  return parent.type === 'AssignmentExpression' ? String(parent['left'].name) : '';
}

const calleeName = ({ callee }: SyntaxNode): string => String(callee.name ?? callee.property?.name);
