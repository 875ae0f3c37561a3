/** The page of the benchmark: a list of rows, rendered on a server with the data that the browser needs for hydration. */
import { Writable } from 'node:stream';

export interface Author {
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

export interface Row {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly state: string;
  readonly priority: number;
  readonly comments: number;
  readonly isPinned: boolean;
  readonly createdAt: string;
  readonly author: Author;
}

export interface Page {
  /** The page of one request, as it is sent: data are fetched anew. */
  render(): Promise<Uint8Array>;
  /** True for the text of a script that transfers data. */
  isData(script: string): boolean;
  /** The rows that a browser reads after it has run these scripts. */
  receive(scripts: readonly string[]): Promise<readonly Row[]>;
}

export interface Pages {
  readonly string: Page;
  readonly stream: Page;
  /** A stream that begins without the data, and continues when the component that suspends has them. */
  readonly suspense?: Page;
}

const ROWS = Number(process.env['ROWS'] ?? 1000);
const AUTHORS = 10;

const authors = Array.from({ length: AUTHORS }, (_, at) => ({
  id: at + 1,
  name: `Author ${at + 1}`,
  email: `author.${at + 1}@example.org`,
}));

export const rows: readonly Row[] = Array.from({ length: ROWS }, (_, at) => ({
  id: at + 1,
  title: `Issue ${at + 1} of the list`,
  text: `The text of issue ${at + 1} is about as long as this`,
  state: at % 3 === 0 ? 'closed' : 'open',
  priority: at % 5,
  comments: (at * 7) % 30,
  isPinned: at % 50 === 0,
  createdAt: new Date(Date.UTC(2026, 0, 1) + at * 3_600_000).toISOString(),
  author: authors[(at * 7) % AUTHORS] as Author,
}));

/** The data source: the same rows for each request, asynchronously. */
export async function fetchRows(): Promise<readonly Row[]> {
  await Promise.resolve();
  return rows;
}

/** A document for markup that is rendered to a string. */
export function documentWith(head: string, data: string, html: string): Uint8Array {
  return Buffer.from(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>issues</title>${head}</head>` +
      `<body>${data}<div id="root">${html}</div></body></html>`,
  );
}

/** Receives a stream; `done` resolves with its bytes. */
export class Receiver extends Writable {
  readonly done: Promise<Uint8Array>;

  constructor() {
    const chunks: Uint8Array[] = [];
    super({
      write(chunk: Uint8Array, _encoding, next) {
        chunks.push(chunk);
        next();
      },
    });
    this.done = new Promise((resolve, reject) => {
      this.on('finish', () => resolve(Buffer.concat(chunks))).on('error', reject);
    });
  }
}
