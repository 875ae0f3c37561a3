/** Tells bundlers which statements of the compiled modules they may drop, one by one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { walk } from './syntax.mjs';

const MARK = '/*@__PURE__*/';

/**
 * Changes modules in place: what they call and construct for their constants is marked as pure. `sideEffects: false`
 * in package.json says so of whole files; in a chunk many modules share one file, and a bundler decides for each
 * statement.
 */
export function markPure(paths) {
  for (const path of paths) {
    const code = readFileSync(path, 'utf8');
    const { body } = parseSync(path, code).program;
    const places = new Set();
    for (const statement of body) {
      const { type, declarations } = statement.declaration ?? statement;
      if (type === 'VariableDeclaration')
        declarations.forEach(({ init }) => addCalls(init, places));
    }
    let marked = code;
    for (const at of [...places].sort((a, b) => b - a)) {
      marked = marked.slice(0, at) + MARK + marked.slice(at);
    }
    writeFileSync(path, marked);
  }
}

/** Adds where calls begin that run with this expression: not later, in its functions or in instances of its classes. */
function addCalls(expression, places) {
  walk(expression, (node) => {
    if (/Function|StaticBlock/.test(node.type)) return false;
    if (node.type === 'PropertyDefinition' && !node.static) return false;
    if (/^(?:Call|New)Expression$/.test(node.type)) places.add(node.start);
    return true;
  });
}
