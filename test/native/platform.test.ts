// The library on the globals of React Native and Hermes alone.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** React Native bundles abort-controller 3 until 0.86: its signals keep no reason. */
class Signal {
  aborted = false;
  readonly #listeners = new Set<(event: object) => void>();
  addEventListener(_: string, listener: (event: object) => void): void {
    this.#listeners.add(listener);
  }
  removeEventListener(_: string, listener: (event: object) => void): void {
    this.#listeners.delete(listener);
  }
  end(): void {
    if (this.aborted) return;
    this.aborted = true;
    for (const listener of this.#listeners) listener({ target: this });
  }
}

class Aborting {
  readonly signal = new Signal();
  abort(): void {
    this.signal.end();
  }
}

/** Can be filled and sent, not read. */
class Form {
  append(): void {}
}

/** Knows `append` and `toString`. */
class Search {
  readonly #pairs: string[] = [];
  append(name: string, value: string): void {
    this.#pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  }
  toString(): string {
    return this.#pairs.join('&');
  }
}

/** The classes beside `fetch` are there; the app below answers itself. */
class Fetched {}

/** A context with the language alone: no document, no DOMException, no structuredClone, no URL. */
function platform(): object {
  const context = createContext({
    AbortController: Aborting,
    AbortSignal: Signal,
    FormData: Form,
    Headers: Fetched,
    Request: Fetched,
    Response: Fetched,
    URLSearchParams: Search,
    navigator: { product: 'ReactNative' },
    process: { env: { NODE_ENV: 'development' } },
    setTimeout,
    clearTimeout,
    console,
  });
  runInContext('delete globalThis.FinalizationRegistry; delete Symbol.asyncIterator;', context);
  return context;
}

/** The output of React Native's Babel preset: fields are assigned, and private names are compiled away. */
async function bundled(target: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${root}test/native/app.ts`],
    alias: {
      'signalbox/react/native': `${root}adapters/react/native.ts`,
      signalbox: `${root}src/index.ts`,
    },
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'app',
    target,
    conditions: ['react-native'],
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'silent',
  });
  return outputFiles[0]?.text as string;
}

test.each(['es2022', 'es2017'])(
  '[H6] an app runs with only the APIs of React Native, with assigned class fields (%s)',
  async (target) => {
    const context = platform();
    runInContext(await bundled(target), context);
    const report: unknown = JSON.parse(await runInContext('app.run()', context));
    expect(report).toEqual({
      provider: 'function',
      reads: {
        urls: ['https://host/todos?page=2&q=a%20b', 'https://host/todos/1'],
        same: true,
        live: ['one', 'ada'],
      },
      form: 'sent',
      gaveUp: {
        reads: ['AbortError', 'AbortError', 'TimeoutError'],
        aborted: ['https://host/todos/7', 'https://host/todos/8'],
        events: ['AbortError', 'error'],
        error: 'none',
        title: 'one',
      },
      polled: ['AbortError'],
    });
  },
);

test('[H6] no class has a static block, which the Babel preset of React Native does not support', () => {
  const files = ['src', 'adapters'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${folder}/${path}`),
  );
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((path) => /^\s*static \{/m.test(readFileSync(root + path, 'utf8')))).toEqual(
    [],
  );
});
