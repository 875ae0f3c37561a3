/** Makes constants of the build's classes: `const Store = class {…}`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from './syntax.mjs';

/*
 * A class has a scope of its own for its name. For that esbuild gives parameters of methods other letters than those of
 * functions, and the same code in both compresses as two: about 0.2 KiB. Columns of the line that begins a class are
 * not those of the source map any more; its lines are.
 */
export function unnameClasses(paths) {
  for (const path of paths) {
    let code = readFileSync(path, 'utf8');
    for (const statement of parse(path).body.slice().reverse()) {
      const declaration = statement.declaration ?? statement;
      if (declaration.type !== 'ClassDeclaration') continue;
      const { start, id } = declaration;
      code = `${code.slice(0, start)}const ${id.name} = class${code.slice(id.end)}`;
    }
    writeFileSync(path, code);
  }
}
