/** The mock server's values: they obey the schemas of each description, and are the same for the same seed. */
import { expect, test } from 'vitest';
import { Description } from './Description.ts';
import { descriptionNames, fileOf } from './descriptions.ts';
import { Sampler } from './Sampler.ts';

const SEED = process.env['OPENAPI_SEED'] ?? '1';

test.each(descriptionNames)('[T3] random values obey each response of %s', (name) => {
  const description = new Description(fileOf(name));
  const sampler = new Sampler(description);
  const complaints = description.operations.flatMap(({ method, path, response }) => {
    if (response === undefined) return [];
    const value = sampler.sample(response, `${SEED} ${method} ${path}`);
    const complaint = description.complaint(response, value);
    return complaint === undefined ? [] : [`${method} ${path}: ${complaint.slice(0, 300)}`];
  });
  expect(complaints, `seed ${SEED}`).toEqual([]);
});
