// The platform's BroadcastChannel: tabs find each other by a name, and closed tabs leave nothing behind.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Controller } from 'signalbox';
import { connectTabs } from 'signalbox/tabs';
import type { TabsOptions } from 'signalbox/tabs';
import { expect, onTestFinished, test } from 'vitest';
import { released } from '../setup/garbage.ts';
import { Todo } from '../setup/world.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const params = { id: 1 };

function open(options: Partial<TabsOptions>): Controller {
  const tab = new Controller({ sweepAfter: Infinity });
  onTestFinished(connectTabs(tab, { names: { Todo }, ...options }));
  return tab;
}

const commitOf = (tab: Controller) =>
  new Promise<void>((heard) => void tab.on('commit', () => heard()));

test('[P3] tabs with the same name exchange commits over the BroadcastChannel', async () => {
  const first = open({ name: 'a' });
  const second = open({ name: 'a' });
  const other = open({ name: 'b' });
  const heard = commitOf(second);
  await first.set(Todo, params, { title: 'a' });
  await heard;
  expect(second.get(Todo, params)?.title).toBe('a');
  expect(other.get(Todo, params)).toBeUndefined();
});

test('[P3] a disconnected controller can be garbage collected', async () => {
  const gone = await released(async (tag) => {
    const stay = open({ name: 'c' });
    const tab = tag('controller', new Controller({ sweepAfter: Infinity }));
    const stop = connectTabs(tab, { names: { Todo }, name: 'c' });
    const heard = commitOf(tab);
    void stay.set(Todo, params, { title: 'a' });
    await heard;
    stop();
  });
  expect(gone).toEqual(['controller']);
});

test('[P3] an open channel does not keep a Node process alive', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-tabs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, 'tab.mjs');
  await build({
    stdin: {
      contents: `import { Controller, Entity } from './src/index.ts';
        import { connectTabs } from './src/tabs/tabs.ts';
        class Todo extends Entity { title = ''; }
        const controller = new Controller();
        connectTabs(controller, { names: { Todo } });
        await controller.set(Todo, { id: 1 }, { title: 'a' });
        console.log(controller.get(Todo, { id: 1 }).title);`,
      resolveDir: root,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
  });
  expect(String(execFileSync(process.execPath, [outfile], { timeout: 20_000 }))).toBe('a\n');
});
