/** Writes named numbers of the build where they are used: esbuild, other than for enums, leaves that to nobody. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse, walk } from './syntax.mjs';

/** Changes modules in place. A number takes the place of its name to the column, so source maps stay right. */
export function inlineNumbers(paths) {
  const numbers = new Map(paths.map((path) => [path, numbersIn(parse(path))]));
  for (const path of paths) {
    const known = new Map(numbers.get(path));
    for (const node of parse(path).body) {
      if (node.type !== 'ImportDeclaration' || !node.source.value.startsWith('.')) continue;
      const theirs = numbers.get(resolve(dirname(path), node.source.value));
      for (const { imported, local } of node.specifiers) {
        const value = theirs?.get(imported?.name);
        if (value !== undefined) known.set(local.name, value);
      }
    }
    if (known.size > 0) replaceNames(path, known);
  }
}

/** The constants of a module that are numbers. */
function numbersIn({ body }) {
  const numbers = new Map();
  for (const statement of body) {
    const declaration = statement.declaration ?? statement;
    if (declaration.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
    for (const { id, init } of declaration.declarations) {
      const value = init === null ? undefined : valueOf(init, numbers);
      if (value !== undefined && /^[A-Z][A-Z_\d]*$/.test(id.name)) numbers.set(id.name, value);
    }
  }
  return numbers;
}

const OPERATIONS = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '**': (a, b) => a ** b,
  '&': (a, b) => a & b,
};

function valueOf(node, numbers) {
  if (node.type === 'Literal') return typeof node.value === 'number' ? node.value : undefined;
  if (node.type === 'Identifier') return numbers.get(node.name);
  const [operands, operation] =
    node.type === 'BinaryExpression'
      ? [[node.left, node.right], OPERATIONS[node.operator]]
      : [[node.argument], node.operator === '-' ? (value) => -value : undefined];
  if (operation === undefined || operands.includes(undefined)) return undefined;
  const values = operands.map((operand) => valueOf(operand, numbers));
  return values.includes(undefined) ? undefined : operation(...values);
}

function replaceNames(path, known) {
  const places = [];
  walk(parse(path), (node, parent, field) => {
    if (node.type !== 'Identifier' || !known.has(node.name)) return;
    if (isUse(parent, field)) places.push(node);
    // declared anew further in: whose it is cannot be told from here
    else if (parent.type === 'VariableDeclarator' && !numbersIn(parse(path)).has(node.name)) {
      throw new Error(`${path} has two things called ${node.name}`);
    }
  });
  let code = readFileSync(path, 'utf8');
  for (const { start, end, name } of places) {
    const text = String(known.get(name));
    if (text.length > end - start) continue;
    code = code.slice(0, start) + text.padEnd(end - start) + code.slice(end);
  }
  writeFileSync(path, code);
}

function isUse({ type, computed, shorthand }, field) {
  if (/^(?:Import|Export)/.test(type) || shorthand) return false;
  if (field === 'property' || field === 'key') return computed;
  return !['id', 'params', 'label'].includes(field);
}
