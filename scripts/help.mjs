// The option `--help` of the example commands.

/** Prints `text` and exits after `--help`; exits with an error after an option that is not in `options`. */
export function printHelp(text, options = new Set()) {
  const given = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
  if (given.includes('--help') || given.includes('-h')) {
    console.log(text.trim());
    process.exit(0);
  }
  const unknown = given.find((argument) => !options.has(argument));
  if (unknown === undefined) return;
  console.error(`Unknown option ${unknown}.\n\n${text.trim()}`);
  process.exit(1);
}
