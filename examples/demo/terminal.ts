/** Output of the demo: colours if the terminal has them, aligned facts, a line for pending work. */

const { stdout, env } = process;

/** https://no-color.org and https://force-color.org; otherwise colours are for terminals. */
const colours =
  env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== ''
    ? false
    : env['FORCE_COLOR'] !== undefined
      ? env['FORCE_COLOR'] !== '0'
      : stdout.isTTY && env['TERM'] !== 'dumb';

const paint =
  (open: number, close: number) =>
  (text: string): string =>
    colours ? `\u001b[${open}m${text}\u001b[${close}m` : text;

export const bold = paint(1, 22);
export const dim = paint(2, 22);
export const red = paint(31, 39);
export const green = paint(32, 39);
export const yellow = paint(33, 39);
export const cyan = paint(36, 39);

export function say(line = ''): void {
  stdout.write(`${line}\n`);
}

const INDENT = '     ';
const LABEL_WIDTH = 10;

/** One fact of a step: its name, then its text. */
export function fact(label: string, text: string): void {
  say(`${INDENT}${dim(label.padEnd(LABEL_WIDTH))}${text}`);
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;

/** Prints the pending work: a spinner on a terminal, otherwise one line. */
export async function awaiting<T>(what: string, work: () => Promise<T>): Promise<T> {
  if (!stdout.isTTY) {
    say(`  ${what} …`);
    return work();
  }
  let frame = 0;
  const draw = () => stdout.write(`\r  ${cyan(FRAMES[frame++ % FRAMES.length] ?? '')} ${what} …`);
  draw();
  const timer = setInterval(draw, FRAME_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    stdout.write('\r\u001b[2K');
  }
}

/** `3 views`, `1 view`. */
export function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
