/** A line of text on a disk, without its key: `at ⇥ rest`. */
export interface DiskLine {
  readonly at: string;
  readonly rest: string;
}

export function lineText({ at, rest }: DiskLine): string {
  return `${at}\t${rest}`;
}

/** The reverse of `lineText`. */
export function lineIn(text: string): DiskLine {
  const tab = text.indexOf('\t');
  return { at: text.slice(0, tab), rest: text.slice(tab + 1) };
}
