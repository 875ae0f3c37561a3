// Each file of tests begins with modules of its own, though the process has run others.
import { vi } from 'vitest';

vi.resetModules();
