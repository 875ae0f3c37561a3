/** The commands of `npx signalbox`. */
import { CommandError } from '../openapi/CommandError.ts';
import { main as openapi } from '../openapi/openapi.ts';
import type { Terminal } from '../openapi/openapi.ts';
import { migrate } from './migrate.ts';

/** Runs the command that the arguments name; returns its exit code. */
export async function command(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name !== 'migrate') return openapi(args, terminal);
  try {
    return await migrate(rest, terminal);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.say(`signalbox: ${error.message}`);
    return 2;
  }
}
