/**
 * A plugin of Rolldown: marks the calls that compute the constants of a module as pure, so that a bundler drops them
 * with the constant. `sideEffects: false` in package.json says so of whole files; a chunk joins many modules.
 */
import { parseSync, Visitor } from 'rolldown/utils';

const MARK = '/* @__PURE__ */ ';

export const pureConstants = {
  name: 'pure-constants',
  transform(code, id) {
    const { program } = parseSync(id, code);
    const marked = callsOfConstants(program).reduceRight(
      (text, at) => text.slice(0, at) + MARK + text.slice(at),
      code,
    );
    return { code: marked, map: null };
  },
};

/** Where the calls begin that run with the declaration of a constant: not later, in functions or in instances. */
function callsOfConstants(program) {
  const places = new Set();
  let constants = 0;
  let later = 0;
  const note = ({ start }) => constants > 0 && later === 0 && places.add(start);
  const inside = (type, change) => ({
    [type]: (node) => change(1, node),
    [`${type}:exit`]: (node) => change(-1, node),
  });
  const deferred = (by) => void (later += by);
  new Visitor({
    ...inside('VariableDeclaration', (by) => void (constants += by)),
    ...inside('FunctionDeclaration', deferred),
    ...inside('FunctionExpression', deferred),
    ...inside('ArrowFunctionExpression', deferred),
    ...inside('StaticBlock', deferred),
    ...inside('PropertyDefinition', (by, { static: isStatic }) => deferred(isStatic ? 0 : by)),
    CallExpression: note,
    NewExpression: note,
  }).visit(program);
  return [...places].sort((a, b) => a - b);
}
