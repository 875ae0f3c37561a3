import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startJsonServer, type JsonServer } from '../../examples/demo/jsonServer.ts';
import { tellStory } from '../../examples/demo/story.ts';

const database = fileURLToPath(new URL('../../examples/demo/db.json', import.meta.url));

let server: JsonServer;
beforeAll(async () => {
  server = await startJsonServer(database);
});
afterAll(() => server?.close());

test('[V2] the story of the demo passes, and json-server counts the same number of requests', async () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const { requests, failures } = await tellStory(server);
  vi.restoreAllMocks();
  expect(failures).toEqual([]);
  expect(requests).toBe(8);
  expect(server.answered).toBe(8);
  expect(written.join('')).toMatch(/✓ .*9 steps.*8 requests \(json-server counted 8\)/);
});

test('[V2] the story fails when a count is wrong', async () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  // at the second run the database has changed: todo 12 is deleted already
  const { failures } = await tellStory(server);
  vi.restoreAllMocks();
  expect(failures).toContain('step 4: views that ran: none, expected detail 7, row 7');
  expect(written.join('')).toContain('✗ step 4: views that ran');
});
