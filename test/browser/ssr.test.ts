// Pages that were rendered on a server and hydrated in a real browser: the requests, the texts, the kept elements.
import { describe, expect, test } from 'vitest';
import { makeLab } from './site.ts';
import type { Lab, Visited, Witness } from './site.ts';

const react18 = { react: 'react-18', 'react-dom': 'react-dom-18' };

const FIRST = 'Oil the east points';
const PUSHED = 'Pushed before hydration';

/** Clicks until the button responds: the button exists before hydration. */
async function hydrated({ page }: Visited): Promise<void> {
  await page.waitForSelector('#users button');
  await page.waitForFunction(() => {
    const button = document.querySelector<HTMLButtonElement>('#users button');
    button?.click();
    return button?.textContent !== '0 clicks';
  });
}

/** The elements of the server that the page keeps: all, those around rows if the store has changed, or a varying set. */
type Keeps = 'all' | 'no moved rows' | 'who knows';

function hydrates(lab: Lab, modes: readonly string[], keeps: Keeps = 'all'): void {
  const keptAs = (kept: Witness['kept'], moved = false) => {
    const all = { list: true, row: !moved || keeps === 'all', users: true };
    expect(kept).toEqual(keeps === 'who knows' ? kept : all);
  };

  test.each(modes)('[H5] %s: hydrates without a request, an error or a new node', async (mode) => {
    const visited = await lab.visit(`/${mode}`);
    await hydrated(visited);
    const { asked, complaints } = visited;
    const { rows, kept, count } = await visited.look();
    expect({ asked, complaints, rows }).toEqual({ asked: [], complaints: [], rows: [FIRST] });
    expect(count).toBe(24);
    keptAs(kept);
  });

  test.each(modes)(
    '[H9] %s: the status hooks hydrate with the state of the server, then show the current state',
    async (mode) => {
      const visited = await lab.visit(`/${mode}`);
      await hydrated(visited);
      const { page, complaints, asked } = visited;
      await page.waitForFunction(
        () => document.querySelector('#activity span')?.textContent === '0 requests, users fetched',
      );
      await page.click('#activity button');
      await expect.poll(() => asked).toEqual(['PATCH /api/todos/1']);
      await page.waitForSelector('#activity button:not([disabled])');
      expect(await page.textContent('#activity button')).toBe('Complete todo 1');
      expect(complaints).toEqual([]);
    },
  );

  test.each(modes)(
    '[H5] %s: a store changed before hydration shows the content of the server first, then its own',
    async (mode) => {
      const visited = await lab.visit(`/${mode}?moved`);
      await hydrated(visited);
      await visited.page.waitForFunction(
        (text) => document.querySelector('#todos li')?.getAttribute('title') === text,
        PUSHED,
      );
      const { asked, complaints } = visited;
      const { rows, kept } = await visited.look();
      expect({ asked, complaints, rows }).toEqual({
        asked: [],
        complaints: [],
        rows: [FIRST, PUSHED],
      });
      keptAs(kept, true);
      const users = visited.page.locator('#users');
      expect(await users.getAttribute('title')).toBe('Pushed, too');
      expect(await users.textContent()).toContain('Pushed, too, Olu');
    },
  );

  test.each(modes)('[H5] %s: stale data stay shown during the refetch', async (mode) => {
    const visited = await lab.visit(`/${mode}?stale`);
    await hydrated(visited);
    const { asked, complaints } = visited;
    await expect.poll(() => [...asked].sort()).toEqual(['GET /api/todos', 'GET /api/users']);
    await visited.page.waitForLoadState('networkidle');
    const { rows, fellBack, kept } = await visited.look();
    expect({ rows, fellBack, complaints }).toEqual({
      rows: [FIRST],
      fellBack: false,
      complaints: [],
    });
    keptAs(kept);
    expect(asked).toHaveLength(2);
  });
}

describe.each([
  ['React 19', {}],
  ['React 18', react18],
])('%s', (_, alias) => {
  const lab = makeLab('react', alias);
  hydrates(lab, ['node', 'web']);
});

describe.each([
  ['React 19', {}],
  ['React 18', react18],
])('%s, with a slow response', (_, alias) => {
  const lab = makeLab('react', alias, 4_000);

  test.each(['node', 'web'])(
    '[H5] %s: received data are hydrated at once, later parts when they arrive',
    async (mode) => {
      const visited = await lab.visit(`/${mode}?moved`);
      await visited.page.waitForFunction(
        (text) => document.querySelector('#todos li')?.textContent === text,
        PUSHED,
      );
      expect(await visited.page.locator('#users').count()).toBe(0);
      await hydrated(visited);
      expect(visited.complaints).toEqual([]);
      expect(visited.asked).toEqual([]);
      expect((await visited.look()).kept).toEqual({ list: true, row: true, users: true });
    },
  );
});

describe.each([
  ['Preact 11', {}],
  ['Preact 10', { preact: 'preact-10' }],
])('%s', (_, alias) => {
  const lab = makeLab('preact', alias);
  hydrates(lab, ['string']);
  // Preact moves elements for late content in a frame, with or without parsed children: elements without are drawn again then
  hydrates(lab, ['node', 'web'], 'who knows');
});

describe('Solid', () => {
  const lab = makeLab('solid');
  // rows are identified by object, and the rows of the server's store are other objects
  hydrates(lab, ['string', 'node', 'web'], 'no moved rows');
});
