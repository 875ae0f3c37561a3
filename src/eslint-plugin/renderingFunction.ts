/** Whether code runs while a component renders. */
import { propertyName } from './ast.ts';
import type { Context, SyntaxNode } from './ast.ts';

const isFunction = ({ type }: SyntaxNode): boolean =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);

/**
 * The component or hook that runs `node` at each render; undefined if `node` runs in a module, a handler, an effect, an
 * initializer of state, or a function that may be called from anywhere.
 */
export function renderingFunction(context: Context, node: SyntaxNode): SyntaxNode | undefined {
  let owner: SyntaxNode | null = node.parent;
  while (owner !== null && !isFunction(owner)) owner = owner.parent;
  // an async component is a server component, and renders once
  if (owner === null || owner['async'] === true) return undefined;
  return isRendering(context, owner) ? owner : undefined;
}

function isRendering(context: Context, owner: SyntaxNode): boolean {
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

/** The function's own name, or the name of its variable, also through `memo` and `forwardRef`. */
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
