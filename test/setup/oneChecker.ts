/**
 * Arguments of the compiler for tests. It would divide a program among four checkers, each of which checks the types that
 * it needs of all files: a third more work, beside tests that leave no core idle.
 */
export const oneChecker: readonly string[] = ['--checkers', '1'];
