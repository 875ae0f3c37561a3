/** The command line of signalbox: finds the command, and converts its exceptions to one line and an exit code. */
import { failure, CommandError } from './CommandError.ts';
import { openapi, USAGE } from './openapi.ts';
import type { Terminal } from './openapi.ts';

/** Runs `signalbox <command> …` and returns the exit code: 0 done, 1 a check failed, 2 the command failed. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const [command, ...rest] = args;
  try {
    if (command === 'openapi') return await openapi(rest, terminal);
    if (command !== undefined && !/^(?:-h|--help|help)$/.test(command))
      throw failure('command', command);
    terminal.write(USAGE);
    return command === undefined ? 2 : 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.say(`signalbox: ${error.message}`);
    return 2;
  }
}
