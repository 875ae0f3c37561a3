// A process runs many files of tests. Each begins with modules of its own, real timers and the globals of the platform.
import { vi } from 'vitest';

vi.resetModules();
vi.useRealTimers();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
