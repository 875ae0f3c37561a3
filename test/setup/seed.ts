/** The seed of random tests: SEED in the environment, as `.ci/run` sets it, or another in each process. */
const asked = process.env['SEED'];

export const isSeedFixed: boolean = asked !== undefined;
export const seed: number = Number(asked ?? Math.floor(Math.random() * 2 ** 31));
