/** The syntax tree and the parts of ESLint that the rules use, typed by hand: the plugin depends on no package. */

// any: fields of ESTree from the parser of the project; null stands for an absent child
export type SyntaxNode = { readonly type: string; readonly parent: SyntaxNode } & Readonly<
  Record<string, any>
>;

/** The variable that a name refers to. */
export interface Variable {
  readonly defs: readonly {
    readonly type: string;
    readonly node: SyntaxNode;
    readonly parent?: SyntaxNode;
  }[];
  readonly references: readonly { isWrite(): boolean; readonly init?: boolean }[];
}

interface Scope {
  readonly set: ReadonlyMap<string, Variable>;
  readonly upper: Scope | null;
}

/** A type of TypeScript. */
export interface Type {
  readonly intrinsicName?: string;
  readonly types?: readonly Type[];
  readonly symbol?: { readonly name: string };
  getProperty(name: string): object | undefined;
  getBaseTypes(): readonly Type[] | undefined;
  getCallSignatures(): readonly { getReturnType(): Type }[];
}

interface Checker {
  getTypeOfSymbol(symbol: object): Type;
}

interface ParserServices {
  readonly program?: { getTypeChecker(): Checker } | null;
  getTypeAtLocation?(node: SyntaxNode): Type;
}

/** The context that ESLint passes to a rule. */
export interface RuleContext {
  readonly sourceCode: {
    readonly ast: SyntaxNode;
    readonly parserServices?: ParserServices;
    getScope(node: SyntaxNode): Scope;
    getText(node: SyntaxNode): string;
  };
  report(problem: {
    readonly node: SyntaxNode;
    readonly messageId: string;
    readonly data?: Readonly<Record<string, string>>;
  }): void;
}

/** A rule in the form that ESLint expects. */
export interface Rule {
  readonly meta: {
    readonly type: 'problem';
    readonly docs: { readonly description: string };
    readonly messages: Readonly<Record<string, string>>;
    readonly schema: readonly [];
  };
  // any: the context and the nodes of ESLint, with types that differ between versions
  create(context: any): Readonly<Record<string, (node: any) => void>>;
}

type Visitors = Readonly<Record<string, (node: SyntaxNode) => void>>;

/** A rule without options that has a single message. */
export function createRule(
  description: string,
  message: string,
  create: (context: RuleContext) => Visitors,
): Rule {
  return {
    meta: { type: 'problem', docs: { description }, messages: { message }, schema: [] },
    create,
  };
}

export function variableOf(context: RuleContext, name: SyntaxNode): Variable | undefined {
  for (let scope: Scope | null = context.sourceCode.getScope(name); scope; scope = scope.upper) {
    const variable = scope.set.get(name['name'] as string);
    if (variable !== undefined) return variable;
  }
  return undefined;
}

/** `node` without surrounding types, `await`, `!` and `?.`. */
export function unwrap(node: SyntaxNode): SyntaxNode {
  const inner: SyntaxNode | undefined = /^(TS\w+Expression|ChainExpression)$/.test(node.type)
    ? node['expression']
    : node.type === 'AwaitExpression'
      ? node['argument']
      : undefined;
  return inner === undefined ? node : unwrap(inner);
}

/** The name of a property as written in the source; undefined for a computed name. */
export function propertyName({ key, property, computed }: SyntaxNode): string | undefined {
  const name: SyntaxNode = key ?? property;
  if (name.type === 'Literal') return String(name['value']);
  return computed === true ? undefined : (name['name'] as string | undefined);
}

/** The exported name that `callee` has in signalbox: `useSuspense`, also under an alias or behind a namespace. */
export function signalboxName(context: RuleContext, callee: SyntaxNode): string | undefined {
  if (callee.type === 'MemberExpression' && callee['object'].type === 'Identifier') {
    return isNamespace(context, callee['object']) ? propertyName(callee) : undefined;
  }
  const definition = importOf(context, callee);
  if (definition?.type !== 'ImportSpecifier') return undefined;
  return (definition['imported'].name ?? definition['imported'].value) as string;
}

const isNamespace = (context: RuleContext, name: SyntaxNode): boolean =>
  importOf(context, name)?.type === 'ImportNamespaceSpecifier';

function importOf(context: RuleContext, name: SyntaxNode): SyntaxNode | undefined {
  if (!/^(JSX)?Identifier$/.test(name.type)) return undefined;
  const definition = variableOf(context, name)?.defs[0];
  if (definition?.type !== 'ImportBinding') return undefined;
  return isSignalbox(definition.parent) ? definition.node : undefined;
}

const isSignalbox = (declaration: SyntaxNode | undefined): boolean =>
  /^signalbox($|\/)/.test(String(declaration?.['source'].value));

/** True in a module that imports from a matching source. */
export function importsFrom(context: RuleContext, source: RegExp): boolean {
  const body = context.sourceCode.ast['body'] as readonly SyntaxNode[];
  return body.some(
    (each) => each.type === 'ImportDeclaration' && source.test(each['source'].value),
  );
}

/** The expression that a constant is initialized with, else `node` itself. */
export function valueOf(context: RuleContext, node: SyntaxNode): SyntaxNode {
  let value = unwrap(node);
  // a constant may refer to another constant: `const a = b, b = a` must end
  for (let steps = 0; value.type === 'Identifier' && steps < 10; steps++) {
    const definition = variableOf(context, value)?.defs[0]?.node;
    const isConstant =
      definition?.type === 'VariableDeclarator' &&
      definition['id'].type === 'Identifier' &&
      definition['init'] !== null &&
      definition.parent['kind'] === 'const';
    if (!isConstant) break;
    value = unwrap(definition['init']);
  }
  return value;
}

/** The type of an expression, if the parser has types. */
export function typeOf(context: RuleContext, node: SyntaxNode): Type | undefined {
  const services = context.sourceCode.parserServices;
  return services?.program ? services.getTypeAtLocation?.(node) : undefined;
}

/** The type of a member of `type`, if the parser has types. */
export function memberType(context: RuleContext, type: Type, name: string): Type | undefined {
  const member = type.getProperty(name);
  const checker = context.sourceCode.parserServices?.program?.getTypeChecker();
  return member && checker?.getTypeOfSymbol(member);
}

/** By the base class, through the classes of the module, and by the type if the parser has types. */
export function isEntityClass(context: RuleContext, node: SyntaxNode): boolean {
  const base: SyntaxNode | null = node['superClass'];
  if (base === null) return false;
  return isEntityBase(context, unwrap(base)) || isEntityType(typeOf(context, node['id'] ?? node));
}

function isEntityBase(context: RuleContext, base: SyntaxNode): boolean {
  if (base.type === 'CallExpression')
    return signalboxName(context, base['callee']) === 'EntityMixin';
  if (/^(Entity|Resource)$/.test(signalboxName(context, base) ?? '')) return true;
  if (base.type !== 'Identifier') return false;
  const definition = variableOf(context, base)?.defs[0];
  return definition?.type === 'ClassName' && isEntityClass(context, definition.node);
}

/** True if the class of a record, or any base class, is `Entity` or made by `EntityMixin`. */
export function isEntityType(type: Type | undefined): boolean {
  if (type === undefined) return false;
  const { name } = type.symbol ?? {};
  if (name === 'Entity' || name === 'EntityInstance') return true;
  // primitives have no bases
  return (type.getBaseTypes?.() ?? type.types ?? []).some(isEntityType);
}

/** True if a type annotation names an entity class of the module. */
export function isEntityAnnotation(
  context: RuleContext,
  annotation: SyntaxNode | undefined,
): boolean {
  const name: SyntaxNode | undefined = annotation?.['typeAnnotation']?.typeName;
  if (name?.type !== 'Identifier') return false;
  const definition = variableOf(context, name)?.defs[0];
  return definition?.type === 'ClassName' && isEntityClass(context, definition.node);
}
