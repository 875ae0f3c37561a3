// The library under test: the unpacked tarball if `npm test` has made a tarball, else the sources.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageEntries } from '../../examples/packageEntries.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folder of the unpacked tarball. `npx vitest` alone runs the sources, which need no build. */
export const packageFolder: string | undefined = process.env['SIGNALBOX_PACKAGE'];

/** The module of each public name, for the aliases of bundlers. */
export const libraryEntries: Readonly<Record<string, string>> =
  packageFolder === undefined ? sourceEntries() : packageEntries(packageFolder);

/** The command `signalbox` as a module without the start of the process: `main(args, terminal)`. */
export const commandModule: string =
  packageFolder === undefined
    ? join(root, 'src/openapi/openapi.ts')
    : join(packageFolder, 'dist/esm/src/openapi/openapi.js');

/** For tsconfig.json: the declarations of the tarball in the place of the sources. */
export const libraryTypes: { readonly paths?: Readonly<Record<string, readonly [string]>> } =
  packageFolder === undefined
    ? {}
    : {
        paths: Object.fromEntries(
          Object.entries(libraryEntries).map(([name, path]) => [
            name,
            [path.replace(/\.js$/, '.d.ts')],
          ]),
        ),
      };

function sourceEntries(): Readonly<Record<string, string>> {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: { paths: Readonly<Record<string, readonly [string]>> };
  };
  return Object.fromEntries(
    Object.entries(compilerOptions.paths).map(([name, [path]]) => [name, join(root, path)]),
  );
}
