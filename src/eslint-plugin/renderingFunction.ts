/** Whether code runs while a component renders. */
import { propertyName } from './ast.ts';
import type { Context, Node } from './ast.ts';

const isFunction = ({ type }: Node): boolean =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);

/**
 * The component or hook that runs `node` at each render; undefined where it runs in a module, a handler, an effect, an
 * initializer of state, or a function that may be called from anywhere.
 */
export function renderingFunction(context: Context, node: Node): Node | undefined {
  let owner: Node | null = node.parent;
  while (owner !== null && !isFunction(owner)) owner = owner.parent;
  // a component that awaits is one of a server, and renders once
  if (owner === null || owner['async'] === true) return undefined;
  return isRendering(context, owner) ? owner : undefined;
}

function isRendering(context: Context, owner: Node): boolean {
  const { parent } = owner;
  if (parent.type === 'MethodDefinition')
    return propertyName(parent) === 'render' && isView(parent);
  const name = nameOf(owner);
  if (/^use[A-Z]/.test(name)) return true;
  return /^[A-Z]/.test(name) && renders.test(context.sourceCode.getText(owner));
}

// markup, a hook or a function that makes elements: a function with a capital alone is no component
const renders = /\buse[A-Z]\w*\s*\(|<\/|\/>|\b(?:createElement|createComponent|h|jsxs?)\s*\(/;

const isView = (method: Node): boolean => {
  const base: Node | null = method.parent.parent['superClass'];
  return String(base?.['name'] ?? base?.['property']?.name).endsWith('Component');
};

/** Its own name, or that of the variable which it is given to, also through `memo` and `forwardRef`. */
function nameOf(owner: Node): string {
  if (owner['id']) return owner['id'].name as string;
  let { parent } = owner;
  while (parent.type === 'CallExpression' && /^(memo|forwardRef)$/.test(calleeName(parent))) {
    parent = parent.parent;
  }
  if (parent.type === 'VariableDeclarator') return String(parent['id'].name);
  return parent.type === 'AssignmentExpression' ? String(parent['left'].name) : '';
}

const calleeName = ({ callee }: Node): string => String(callee.name ?? callee.property?.name);
