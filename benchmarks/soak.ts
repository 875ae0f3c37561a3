/** A worker of the soak: plays random programs of test/laws by the thousand, and counts faults by their kind. */
import * as fc from 'fast-check';
import { anything, play } from '../test/laws/program.ts';
import type { Step } from '../test/laws/program.ts';

/** From scripts/soak.mjs: so many traces of at most so many steps, from this seed on. */
interface Order {
  readonly seed: number;
  readonly traces: number;
  readonly steps: number;
}

/** One kind of fault: how often, and the first program that shows it, made as short as it goes. */
interface Kind {
  count: number;
  readonly seed: number;
  readonly fault: string;
  readonly program: readonly Step[];
}

const kindOf = (fault: string): string => fault.split(':')[0] ?? fault;
const shown = new Set<string>();

/** Leaves steps out as long as a fault of the kind remains. */
async function shortest(program: readonly Step[], kind: string): Promise<readonly Step[]> {
  for (const at of program.keys()) {
    const less = program.filter((_, other) => other !== at);
    if ((await play(less)).some((fault) => kindOf(fault) === kind)) return shortest(less, kind);
  }
  return program;
}

/** Plays a program and the answers that are left, in an order of the seed; gives all as steps, and what was wrong. */
async function trace(steps: readonly Step[], seed: number) {
  let at = seed;
  const rest: Step[] = [];
  const faults = await play(steps, (left) => {
    at = (at * 31 + 7) % 1_000_003;
    rest.push(['answer', at % left]);
    return at % left;
  });
  return { program: [...steps, ...rest], faults };
}

async function soak({ seed, traces, steps }: Order): Promise<void> {
  const programs = fc.array(anything, { minLength: 2, maxLength: steps, size: 'max' });
  const kinds: Record<string, Kind> = {};
  for (const [at, sampled] of fc.sample(programs, { seed, numRuns: traces }).entries()) {
    const { program, faults } = await trace(sampled, seed + at);
    const [fault] = faults;
    if (fault === undefined) continue;
    const kind = kindOf(fault);
    const known = kinds[kind];
    if (known !== undefined) known.count++;
    else kinds[kind] = { count: 1, seed, ...(await example(program, fault)) };
  }
  process.send?.({ traces, kinds });
}

/** Shortened once for each kind: that takes some hundred traces. */
async function example(
  program: readonly Step[],
  fault: string,
): Promise<Pick<Kind, 'program' | 'fault'>> {
  const kind = kindOf(fault);
  if (shown.has(kind)) return { program, fault };
  shown.add(kind);
  const short = await shortest(program, kind);
  return {
    program: short,
    fault: (await play(short)).find((one) => kindOf(one) === kind) ?? fault,
  };
}

process.on('message', (order: Order) => void soak(order));
