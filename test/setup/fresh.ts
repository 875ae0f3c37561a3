// A process runs many test files. Each file begins with new modules, real timers, the platform's globals and an empty
// page.
import { vi } from 'vitest';
import { isSeedFixed, seed } from './seed.ts';

// Node loads the code of `fetch` when first used. The package undici, loaded before, would replace the agent of that code,
// which then follows no redirect.
void globalThis.Response;

vi.resetModules();
vi.useRealTimers();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
if (isSeedFixed) (await import('fast-check')).configureGlobal({ seed });
if (typeof document !== 'undefined') document.body.replaceChildren();
