/**
 * Compiler arguments for tests. By default the compiler divides a program among four checkers, and each checks the
 * needed types of all files: a third more work, beside tests that leave no core idle.
 */
export const oneChecker: readonly string[] = ['--checkers', '1'];
