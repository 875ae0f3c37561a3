// Pages that were rendered on a server, hydrated in a real browser: what they ask for, what they say, what they keep.
import { describe, expect, test } from 'vitest';
import { makeLab } from './site.ts';
import type { Lab, Visited } from './site.ts';

const react18 = { react: 'react-18', 'react-dom': 'react-dom-18' };

const FIRST = 'Oil the east points';
const PUSHED = 'Pushed before hydration';

/** Clicks until the button answers: it is there before it is hydrated. */
async function hydrated({ page }: Visited): Promise<void> {
  await page.waitForSelector('#users button');
  await page.waitForFunction(() => {
    const button = document.querySelector<HTMLButtonElement>('#users button');
    button?.click();
    return button?.textContent !== '0 clicks';
  });
}

function hydrates(lab: Lab, mode: string, keepsRows = true): void {
  const title = (text: string) => `[H5] ${mode}: ${text}`;

  test(title('hydrates without a request, an error or a new node'), async () => {
    const visited = await lab.visit(`/${mode}`);
    await hydrated(visited);
    const { asked, complaints } = visited;
    const { rows, kept, count } = await visited.look();
    expect({ asked, complaints, rows, count }).toEqual({
      ...{ asked: [], complaints: [], rows: [FIRST], count: 24 },
    });
    expect(kept).toEqual({ list: true, row: true, users: true });
  });

  test(
    title('a store that moved on before shows the server`s content first, then its own'),
    async () => {
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
      expect(kept).toEqual({ list: true, row: keepsRows, users: true });
      const users = visited.page.locator('#users');
      expect(await users.getAttribute('title')).toBe('Pushed, too');
      expect(await users.textContent()).toContain('Pushed, too, Olu');
    },
  );

  test(title('what is stale is asked again behind what is shown'), async () => {
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
    expect(kept).toEqual({ list: true, row: true, users: true });
    expect(asked).toHaveLength(2);
  });
}

describe.each([
  ['React 19', {}],
  ['React 18', react18],
])('%s', (_, alias) => {
  const lab = makeLab('react', alias);
  for (const mode of ['node', 'web']) hydrates(lab, mode);
});

describe.each([
  ['React 19', {}],
  ['React 18', react18],
])('%s, where one answer takes long', (_, alias) => {
  const lab = makeLab('react', alias, 4_000);

  test.each(['node', 'web'])(
    '[H5] %s: what has come is hydrated, the rest when it comes',
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
  for (const mode of ['string', 'node', 'web']) hydrates(lab, mode);
});

describe('Solid', () => {
  const lab = makeLab('solid');
  // rows are known by their object, and those of the server`s store are others
  for (const mode of ['string', 'node', 'web']) hydrates(lab, mode, false);
});
