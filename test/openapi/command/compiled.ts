/** Compiles modules given as text, with this repository's compiler and the strictest options. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { libraryEntries } from '../../setup/library.ts';
import { oneChecker } from '../../setup/oneChecker.ts';
import { folder } from './command.ts';

/** The declarations of the tarball, if there is a tarball: checking sources is most of the work. */
const library = libraryEntries['signalbox'] as string;
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The compiler's errors in these files, by name; '' for none. */
export async function complaints(files: Readonly<Record<string, string>>): Promise<string> {
  const place = await folder();
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { types: [], paths: { signalbox: [library.replace(/\.js$/, '.d.ts')] } },
    include: ['*.ts'],
    exclude: [],
  };
  await writeFile(join(place, 'tsconfig.json'), JSON.stringify(config));
  await writeFile(join(place, 'package.json'), '{"type":"module"}');
  for (const [name, text] of Object.entries(files)) await writeFile(join(place, name), text);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return new Promise((done) => {
    execFile(process.execPath, [tsc, '-p', place, ...oneChecker], (_, stdout) =>
      done(stdout.trim()),
    );
  });
}
