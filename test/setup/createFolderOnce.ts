import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Fills a folder once for all processes: each process fills a folder of its own, and the first one gets the name. */
export function createFolderOnce(path: string, fill: (folder: string) => void): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  const own = mkdtempSync(`${path}-`);
  fill(own);
  try {
    renameSync(own, path);
  } catch (error) {
    // another process was first; its folder is complete
    if (!existsSync(path)) throw error;
    rmSync(own, { recursive: true, force: true });
  }
}
