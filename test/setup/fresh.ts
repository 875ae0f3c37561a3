// A process runs many files of tests. Each begins with modules of its own, real timers, the globals of the platform and
// an empty page.
import { vi } from 'vitest';

vi.resetModules();
vi.useRealTimers();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
if (typeof document !== 'undefined') document.body.replaceChildren();
