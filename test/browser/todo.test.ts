// A story, played in three frameworks on a real server and on a server made from the resources.
import { beforeAll, describe, expect, test } from 'vitest';
import { frameworks } from '../../examples/ssr/bundle.ts';
import { backends, makeLab } from './todoSite.ts';
import type { Visit } from './todoSite.ts';

const lab = makeLab();
const begin = [
  '[ ] 1 Water the plants (IM)',
  '[x] 2 Return the library books (OA)',
  '[ ] 3 Book the train to Lyon (IM)',
  '[ ] 4 Ask Wen about the garden gate (ML)',
  '[x] 5 Fix the bicycle light (ML)',
];

const refused = 'The server refused (503). Your change was taken back.';

/** Solid runs no views again: a single attribute changes. */
const once = (framework: string, count = 1) => (framework === 'solid' ? 0 : count);

async function write(visit: Visit, title: string): Promise<void> {
  const field = visit.page.getByRole('textbox', { name: 'What is to be done' });
  await field.fill(title);
  await field.press('Enter');
}

const press = ({ page }: Visit, name: string) => page.getByRole('button', { name }).click();
const follow = ({ page }: Visit, name: string) => page.getByRole('link', { name }).click();

describe.each(frameworks)('%s', (framework) => {
  let visits: Awaited<ReturnType<typeof lab.visit>>;
  beforeAll(async () => {
    visits = await lab.visit(framework, 'mood=down');
  });

  /** Plays a part of the story on both servers at once. */
  const onBoth = (play: (visit: Visit) => Promise<void>) => async () => {
    const parts = backends.map(async (backend) => {
      await play(visits[backend]).catch((error: Error) => {
        throw new Error(`on ${backend}: ${error.message}`, { cause: error });
      });
      expect(visits[backend].complaints).toEqual([]);
    });
    await Promise.all(parts);
    // mocked requests never leave the page; requests that are sent together arrive in any order
    expect([...lab.served].sort()).toEqual([...visits['json-server'].asked].sort());
  };

  test(
    '[H7] a failed read shows its error, and after a retry the loading state and then the data',
    onBoth(async (visit) => {
      const { page } = visit;
      await page.getByRole('alert').filter({ hasText: 'could not be loaded' }).waitFor();
      await visit.settled();
      visit.takeAsked();
      await visit.mood('is slow');
      await press(visit, 'Try again');
      await page.getByRole('status', { name: 'Loading' }).first().waitFor();
      await page.waitForSelector('.todo');
      await visit.settled();
      expect(visit.takeAsked().sort()).toEqual(['GET /todos?_expand=user', 'GET /users']);
      expect(await visit.lines()).toEqual(begin);
      expect(await visit.left()).toBe('3 left');
    }),
  );

  test(
    '[O6] with slow responses a created row is there at once, and later mutations of the row wait',
    onBoth(async (visit) => {
      const { page } = visit;
      const { asked } = await visit.effectOf(async () => {
        await write(visit, ' Buy bread  ');
        await visit.row('Buy bread').waitFor();
        const early = await page.$eval('.new', (form) => [
          form.ariaBusy,
          document.querySelector('output')?.textContent,
        ]);
        expect(early).toEqual(['true', '4 left']);
        await visit.tick('Buy bread');
        await page.waitForSelector('.todo[data-done=true]:last-child');
        expect(await visit.left()).toBe('3 left');
      });
      expect(asked).toEqual(['POST /todos', 'PATCH /todos/6']);
      expect(await visit.lines()).toEqual([...begin, '[x] 6 Buy bread (IM)']);
      await visit.mood('answers');
    }),
  );

  test(
    '[O5] a rejected mutation is rolled back, and the user sees a message',
    onBoth(async (visit) => {
      const before = await visit.lines();
      await visit.mood('refuses changes');
      const ticked = await visit.effectOf(() => visit.tick('Water the plants'));
      expect(ticked).toEqual({ ran: ['1'], runs: once(framework, 2), asked: ['PATCH /todos/1'] });
      expect(await visit.notice()).toBe(refused);
      await press(visit, 'Dismiss');
      expect(await visit.notice()).toBe('');

      const deleted = await visit.effectOf(() => press(visit, 'Delete Book the train to Lyon'));
      expect(deleted.asked).toEqual(['DELETE /todos/3']);
      expect(await visit.lines()).toEqual(before);
      expect(await visit.notice()).toBe(refused);

      const added = await visit.effectOf(() => write(visit, 'Call home'));
      expect(added).toEqual({ ran: [], runs: 0, asked: ['POST /todos'] });
      expect(await visit.lines()).toEqual(before);
      expect(await visit.left()).toBe('3 left');
      await visit.mood('answers');
      // the words came back: nothing to type again
      await visit.effectOf(() => press(visit, 'Add'));
      expect(await visit.notice()).toBe('');
      expect(await visit.lines()).toEqual([...before, '[ ] 7 Call home (IM)']);
    }),
  );

  test(
    '[H3] todos are added, ticked and renamed by one request each, and only the changed row re-renders',
    onBoth(async (visit) => {
      await visit.page.getByRole('combobox', { name: 'By whom' }).selectOption('Olu Adeyemi');
      const added = await visit.effectOf(() => write(visit, 'Sweep the stairs'));
      expect(added).toEqual({ ran: [], runs: 0, asked: ['POST /todos'] });
      expect((await visit.lines()).at(-1)).toBe('[ ] 8 Sweep the stairs (OA)');

      const { keyboard } = visit.page;
      const ticked = await visit.effectOf(async () => {
        await visit.page.getByRole('checkbox', { name: 'Water the plants' }).focus();
        await keyboard.press('Space');
      });
      expect(ticked).toEqual({ ran: ['1'], runs: once(framework), asked: ['PATCH /todos/1'] });
      expect(await visit.left()).toBe('4 left');

      const renamed = await visit.effectOf(async () => {
        await visit.row('Book the train').locator('.title').dblclick();
        await keyboard.insertText('Take the bus');
        await keyboard.press('Enter');
      });
      expect(renamed).toMatchObject({ ran: ['3'], asked: ['PATCH /todos/3'] });
      const left = await visit.effectOf(async () => {
        await press(visit, 'Rename Take the bus');
        await keyboard.insertText('Never mind');
        await keyboard.press('Escape');
      });
      expect(left).toMatchObject({ ran: ['3'], asked: [] });
      expect(await visit.page.getAttribute(':focus', 'aria-label')).toBe('Rename Take the bus');
      expect((await visit.lines())[2]).toBe('[ ] 3 Take the bus (IM)');
    }),
  );

  test(
    '[N15] a changed todo moves between lists filtered by the server, and each list is fetched once',
    onBoth(async (visit) => {
      const filtered = await visit.effectOf(() => follow(visit, 'Open'));
      expect(filtered.asked).toEqual(['GET /todos?_expand=user&done=false']);
      expect(await visit.lines()).toEqual([
        '[ ] 3 Take the bus (IM)',
        '[ ] 4 Ask Wen about the garden gate (ML)',
        '[ ] 7 Call home (IM)',
        '[ ] 8 Sweep the stairs (OA)',
      ]);
      const moved = await visit.effectOf(() => visit.tick('Call home'));
      expect(moved).toEqual({ ran: [], runs: 0, asked: ['PATCH /todos/7'] });
      expect(await visit.lines()).toHaveLength(3);
      const others = await visit.effectOf(() => follow(visit, 'Done'));
      expect(others.asked).toEqual(['GET /todos?_expand=user&done=true']);
      expect(await visit.lines()).toHaveLength(5);
      const all = await visit.effectOf(() => follow(visit, 'All'));
      expect(all.asked).toEqual([]);
      expect(await visit.lines()).toHaveLength(8);
    }),
  );

  test(
    '[O9] todos are deleted, completed todos are cleared, and all todos are ticked, each in one commit',
    onBoth(async (visit) => {
      const deleted = await visit.effectOf(() => press(visit, 'Delete Ask Wen'));
      expect(deleted).toEqual({ ran: [], runs: 0, asked: ['DELETE /todos/4'] });
      const cleared = await visit.effectOf(() => press(visit, 'Clear done'));
      expect(cleared.ran).toEqual([]);
      expect([...cleared.asked].sort()).toEqual([1, 2, 5, 6, 7].map((id) => `DELETE /todos/${id}`));
      expect(await visit.lines()).toEqual([
        '[ ] 3 Take the bus (IM)',
        '[ ] 8 Sweep the stairs (OA)',
      ]);
      const whole = await visit.effectOf(() => visit.tick('Tick all'));
      expect(whole).toMatchObject({ ran: ['3', '8'], runs: once(framework, 2) });
      expect([...whole.asked].sort()).toEqual(['PATCH /todos/3', 'PATCH /todos/8']);
      expect(await visit.left()).toBe('0 left');
    }),
  );
});
