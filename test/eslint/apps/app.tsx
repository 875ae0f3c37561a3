// The place of the code that test/eslint lints with types.
export const place = 1;
