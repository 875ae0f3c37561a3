import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Fills a folder once for all processes: each process fills a temporary folder, and the first process renames the
 * result.
 */
export function createFolderOnce(path: string, fill: (folder: string) => void): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  const own = mkdtempSync(`${path}-`);
  fill(own);
  try {
    renameSync(own, path);
  } catch (error) {
    // another process was first; the folder of that process is complete
    if (!existsSync(path)) throw error;
    rmSync(own, { recursive: true, force: true });
  }
}
