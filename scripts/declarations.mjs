/** Joins the declaration files of modules: one for each entry, and chunks that entries share. */
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { declaredBy, filesBelow, nameOf, walk } from './syntax.mjs';

/** `input` are declaration files by the paths of entries; writes to each of the folders. */
export async function writeDeclarations({ modules, input, folders }) {
  for (const path of filesBelow(modules)) if (path.endsWith('.d.ts')) refuseShadow(path);
  const bundle = await rolldown({
    cwd: modules,
    input,
    external: /^[^./]/,
    tsconfig: false,
    plugins: [dts({ dtsInput: true, tsconfig: false, emitDtsOnly: true })],
  });
  for (const dir of folders) {
    await bundle.write({
      dir,
      entryFileNames: '[name].d.ts',
      chunkFileNames: 'chunks/[name].d.ts',
      postBanner: ({ name }) => extending(input[name] ?? ''),
    });
  }
}

/** What an entry imports for the types that it extends, and not for a name: a bundler leaves it out. */
function extending(path) {
  if (path === '') return '';
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => /^(?:import|export type \{\} from) '[^.]/.test(line)).join('\n');
}

/**
 * The names of modules in one chunk are made unique, but not by scope: a type parameter with the name of a type of its
 * module would be renamed with it.
 */
function refuseShadow(path) {
  const { program } = parseSync(path, readFileSync(path, 'utf8'));
  const names = new Set(program.body.flatMap(namesOf));
  walk(program, (node) => {
    if (node.type !== 'TSTypeParameter' || !names.has(node.name.name)) return;
    throw new Error(`${path}: a type parameter has the name of another type, ${node.name.name}`);
  });
}

function namesOf(statement) {
  if (statement.type !== 'ImportDeclaration') return declaredBy(statement);
  return statement.specifiers.flatMap(({ local, imported }) => [nameOf(local), nameOf(imported)]);
}
