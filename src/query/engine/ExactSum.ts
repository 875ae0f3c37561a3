/** A sum of floating-point numbers that does not depend on the order of additions and removals. */

/**
 * Shewchuk's expansion: the exact sum as numbers of growing magnitude with non-overlapping bits, few in practice. A
 * plain running total would keep the rounding errors of rows that were removed long ago.
 */
export class ExactSum {
  #partials: number[] = [];

  add(term: number): void {
    const parts: number[] = [];
    let rest = term;
    for (const part of this.#partials) {
      const [big, small] = Math.abs(rest) < Math.abs(part) ? [part, rest] : [rest, part];
      rest = big + small;
      const lost = small - (rest - big);
      if (lost !== 0) parts.push(lost);
    }
    if (rest !== 0) parts.push(rest);
    this.#partials = parts;
  }

  /** The number nearest to the exact sum. */
  get value(): number {
    const parts = [...this.#partials];
    let total = parts.pop() ?? 0;
    let lost = 0;
    while (lost === 0 && parts.length > 0) {
      const high = total;
      const part = parts.pop() as number;
      total = high + part;
      lost = part - (total - high);
    }
    // half-way between two numbers, the smaller parts still decide
    if (Math.sign(lost) * Math.sign(parts.at(-1) ?? 0) > 0) {
      const next = total + lost * 2;
      if (next - total === lost * 2) total = next;
    }
    return total;
  }
}
