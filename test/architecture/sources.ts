// Reads source files into plain facts (imports, exports, functions, free names) for the rules of the architecture.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, type Comment } from 'oxc-parser';

export interface Source {
  path: string;
  lines: string[];
  /** The syntax tree. */
  program: Node;
  imports: Import[];
  exports: string[];
  /** The exports that the file declares, without re-exports. */
  own: string[];
  comments: Remark[];
  functions: FunctionFacts[];
  /** Names that the file uses and does not declare or import: globals. */
  free: Use[];
  anys: Any[];
}

export interface Import {
  specifier: string;
  /** The target file, for a relative import. */
  target: string | undefined;
  line: number;
  /** True if no code remains at run time: `import type`, `export type … from`, `import('…')` as a type. */
  isType: boolean;
  /** True for re-exports: `export … from`. */
  isExport: boolean;
}

export interface Place {
  name: string;
  line: number;
}

export interface Use extends Place {
  /** `new`, `call`, `type`, `.member` for a member access, or `value` for anything else. */
  how: string;
}

export interface Any {
  line: number;
  /** Where the enclosing statement or member begins: formatting may move `any` to a later line. */
  from: number;
}

export interface Remark {
  text: string;
  line: number;
  endLine: number;
}

export interface FunctionFacts extends Place {
  lines: number;
  depth: number;
  parameters: number;
}

export function readSources(root: string, folders: readonly string[]): Source[] {
  return folders
    .flatMap((folder) => filesBelow(root, folder))
    .sort()
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')));
}

function filesBelow(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(root, path);
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : [];
  });
}

export interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

export function parseSource(path: string, text: string): Source {
  const { program, comments, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path} does not parse: ${errors[0].message}`);
  const lineOf = lineFinder(text);
  const facts = new Facts(path, lineOf);
  facts.walk(program as unknown as Node, undefined, '');
  return {
    path,
    program: program as unknown as Node,
    lines: text.replace(/\n$/, '').split('\n'),
    imports: facts.imports,
    exports: facts.exports,
    own: facts.own,
    comments: comments.map((comment) => remark(comment, lineOf)),
    functions: facts.functions,
    free: facts.used.filter(({ name }) => !facts.declared.has(name)),
    anys: facts.anys,
  };
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

const remark = (comment: Comment, lineOf: (offset: number) => number): Remark => ({
  text: comment.value.replace(/^[*\s]+/, '').trim(),
  line: lineOf(comment.start),
  endLine: lineOf(comment.end),
});

export const functionTypes = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);
const blockTypes = new Set([
  'IfStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'SwitchStatement',
  'TryStatement',
]);

const statementTypes = /(Statement|Declaration|Definition|Signature|TSDeclareFunction)$/;

class Facts {
  imports: Import[] = [];
  exports: string[] = [];
  own: string[] = [];
  functions: FunctionFacts[] = [];
  anys: Any[] = [];
  used: Use[] = [];
  declared = new Set<string>();
  #from = 1;
  readonly #path: string;
  readonly #lineOf: (offset: number) => number;

  constructor(path: string, lineOf: (offset: number) => number) {
    this.#path = path;
    this.#lineOf = lineOf;
  }

  walk(node: Node, parent: Node | undefined, field: string): void {
    this.#note(node, parent, field);
    // Re-exports (`export … from`) are not used here.
    if (node.type === 'ExportNamedDeclaration' && isNode(node['source'])) return this.#passOn(node);
    const from = this.#from;
    if (statementTypes.test(node.type)) this.#from = this.#lineOf(node.start);
    for (const [key, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child)) this.walk(child, node, key);
      }
    }
    this.#from = from;
  }

  #note(node: Node, parent: Node | undefined, field: string): void {
    if (functionTypes.has(node.type)) this.#noteFunction(node, parent);
    else if (node.type === 'ObjectPattern') this.#noteFields(node);
    else if (node.type === 'Identifier') this.#noteName(node, parent, field);
    else if (node.type === 'TSAnyKeyword') {
      this.anys.push({ line: this.#lineOf(node.start), from: this.#from });
    } else if (/^Import|^Export|^TSImport/.test(node.type)) this.#notePort(node);
  }

  #passOn(node: Node): void {
    for (const each of node['specifiers'] as Node[]) this.#notePort(each);
  }

  /** The imports of a file in every spelling, and its exports. */
  #notePort(node: Node): void {
    const source = (node['source'] ?? node['argument']) as Node | null | undefined;
    const literal = (source?.['literal'] ?? source) as Node | null | undefined;
    if (typeof literal?.['value'] === 'string') this.#noteImport(literal['value'], node);
    if (node.type === 'ExportDefaultDeclaration') this.exports.push('default');
    if (node.type === 'ExportAllDeclaration') this.exports.push(nameOf(node['exported']) ?? '*');
    if (node.type === 'ExportSpecifier') this.exports.push(nameOf(node['exported']) ?? '');
    if (node.type === 'ExportNamedDeclaration' && isNode(node['declaration'])) {
      const names = declaredNames(node['declaration']);
      this.exports.push(...names);
      this.own.push(...names);
    }
  }

  #noteImport(specifier: string, node: Node): void {
    const relative = specifier.startsWith('.');
    const target = relative ? posix.join(posix.dirname(this.#path), specifier) : undefined;
    const isType =
      node.type === 'TSImportType' ||
      node['importKind'] === 'type' ||
      node['exportKind'] === 'type';
    const isExport = node.type.startsWith('Export');
    this.imports.push({ specifier, target, line: this.#lineOf(node.start), isType, isExport });
  }

  #noteFunction(node: Node, parent: Node | undefined): void {
    const line = this.#lineOf(node.start);
    const parameters = node['params'] as Node[];
    this.functions.push({
      name: nameOf(node['id']) ?? nameOf(parent?.['key']) ?? nameOf(parent?.['id']) ?? '(inline)',
      line,
      lines: this.#lineOf(node.end) - line + 1,
      depth: isNode(node['body']) ? depthOf(node['body']) : 0,
      parameters: parameters.filter((each) => each['name'] !== 'this').length,
    });
  }

  /** `{ a, b: c }` on the left: a and c come into being. */
  #noteFields(pattern: Node): void {
    for (const property of pattern['properties'] as Node[]) {
      const name = nameOf(property['value']);
      if (name !== undefined) this.declared.add(name);
    }
  }

  #noteName(node: Node, parent: Node | undefined, field: string): void {
    const name = node['name'] as string;
    if (parent === undefined) return;
    if (isDeclaration(parent, field)) this.declared.add(name);
    else if (name === 'NODE_ENV' || !isLabelOnly(parent, field)) {
      this.used.push({ name, line: this.#lineOf(node.start), how: howUsed(parent, field) });
    }
  }
}

/** The nodes right below a node. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    (Array.isArray(value) ? value : [value]).filter(isNode),
  );
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

export const nameOf = (node: unknown): string | undefined =>
  isNode(node) ? ((node['name'] ?? node['value']) as string | undefined) : undefined;

export function declaredNames(declaration: Node): string[] {
  const list = (declaration['declarations'] as Node[] | undefined) ?? [declaration];
  return list.map((each) => nameOf(each['id']) ?? '');
}

/** The name comes into being here: a variable, a parameter, an import, a function, a type. */
function isDeclaration(parent: Node, field: string): boolean {
  if (/^Import.*Specifier$/.test(parent.type)) return field === 'local';
  if (functionTypes.has(parent.type)) return field === 'params' || field === 'id';
  if (parent.type === 'AssignmentPattern') return field === 'left';
  if (['ArrayPattern', 'RestElement', 'TSParameterProperty'].includes(parent.type)) return true;
  return field === 'id';
}

/** The name is only a label: a property, a key, a name at the file's edge, a parameter in a type. */
function isLabelOnly(parent: Node, field: string): boolean {
  if (parent['computed'] === true) return false;
  if (field === 'property')
    return !/^(window|globalThis|self)$/.test(nameOf(parent['object']) ?? '');
  return ['key', 'imported', 'exported', 'label', 'params', 'qualifier'].includes(field);
}

function howUsed(parent: Node, field: string): string {
  if (
    /^TS(TypeReference|TypeQuery|QualifiedName|ClassImplements|InterfaceHeritage)$/.test(
      parent.type,
    )
  ) {
    return 'type';
  }
  if (field === 'callee') return parent.type === 'NewExpression' ? 'new' : 'call';
  if (field === 'object') return `.${nameOf(parent['property']) ?? ''}`;
  return 'value';
}

/** The nesting depth of control blocks; `else if` is a single ladder, an inner function starts at zero. */
function depthOf(node: Node): number {
  const own = blockTypes.has(node.type) ? 1 : 0;
  let deepest = 0;
  for (const [key, value] of Object.entries(node)) {
    const ladder = key === 'alternate' && isNode(value) && value.type === 'IfStatement';
    for (const child of Array.isArray(value) ? value : [value]) {
      if (!isNode(child) || functionTypes.has(child.type)) continue;
      deepest = Math.max(deepest, depthOf(child) - (ladder ? 1 : 0));
    }
  }
  return own + deepest;
}
