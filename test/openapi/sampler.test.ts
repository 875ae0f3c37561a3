/** The mock server's values: they obey the schemas of each description, and are the same for the same seed. */
import { expect, test } from 'vitest';
import { descriptionNames } from './descriptions.ts';
import { Sampler } from './Sampler.ts';
import { SEED, describe } from './world.ts';

test.each(descriptionNames)('[T3] random values obey each response of %s', async (name) => {
  const description = await describe(name);
  const sampler = new Sampler(description);
  const complaints = description.operations.flatMap(({ method, path, response }) => {
    if (response === undefined) return [];
    const value = sampler.sample(response, `${SEED} ${method} ${path}`);
    const complaint = description.complaint(response, value);
    return complaint === undefined ? [] : [`${method} ${path}: ${complaint.slice(0, 300)}`];
  });
  expect(complaints, `seed ${SEED}`).toEqual([]);
});
