// The public names with their types and docstrings. `npm run face` writes the declarations of the build.
import { describe, expect, test } from 'vitest';
import { buildIfStale } from '../setup/packed.ts';
import { declareModules, entries, packedNames, readFace } from './readFace.ts';

buildIfStale();
declareModules();

describe.each(entries())('$name', (entry) => {
  const face = readFace(entry);

  test('[PACKAGE] the exported names, types and docstrings equal the committed file', async () => {
    const text = face.map(({ name, text }) => `// ${name}\n${text}\n`).join('\n');
    const file = entry.name.replaceAll('/', '.');
    await expect(text).toMatchFileSnapshot(`./${file}.txt`);
  });

  test('[PACKAGE] the package declares each exported name', () => {
    const names = face.map(({ name }) => name);
    expect(packedNames(entry)).toEqual(expect.arrayContaining(names));
  });

  test('[PACKAGE] each exported name has a docstring', () => {
    expect(face.filter(({ doc }) => doc === undefined).map(({ name }) => name)).toEqual([]);
  });
});
