/** The actions of the page, each with its expected effect. */
import type { Todo } from '../resources.ts';
import { controller, todos, users } from './world.ts';

export interface Lever {
  readonly title: string;
  readonly method: 'GET' | 'PATCH' | 'POST' | 'DELETE' | 'store';
  /** The effect in each column. */
  readonly says: string;
  act(): Promise<unknown>;
}

const titles = [
  'Light the stove',
  'Fill the water can',
  'Ring Ashdown',
  'Book the 15:40',
  'Dust the instruments',
  'Grease lever 7',
  'Call the ganger',
  'Mend the kettle',
];
const names = [
  'Noor',
  'Jonas',
  'Aiko',
  'Lena',
  'Rafael',
  'Maeve',
  'Idris',
  'Sofia',
  'Kofi',
  'Elin',
];
let turn = 0;

/** The next of some words; one that is not on the page yet, if there is one. */
function next(words: readonly string[], used: readonly string[]): string {
  const free = words.filter((word) => !used.some((text) => text.startsWith(word)));
  const from = free.length > 0 ? free : words;
  return from[turn++ % from.length] ?? '';
}

function newTitle(): string {
  return next(
    titles,
    rows().map(({ title }) => title),
  );
}

function rows(): readonly Todo[] {
  return controller.getResponse(todos.getList).data ?? [];
}

/** A random row; one that the user sees, if there is one. */
function someRow(): Todo {
  const all = rows();
  const seen = all.filter(({ id }) => isSeen(id));
  const from = seen.length > 0 ? seen : all;
  const found = from[Math.floor(Math.random() * from.length)];
  if (found === undefined) throw new Error('The list is empty: add a row first.');
  return found;
}

const elementsOf = (id: number) =>
  document.querySelectorAll<HTMLElement>(`.row[data-todo="${id}"]`);

/** True if the chosen column has a row of the todo. */
const isRendered = (id: number): boolean =>
  [...elementsOf(id)].some((row) => row.getBoundingClientRect().height > 0);

/** True if a row of the todo is inside of the window and not below something else. */
function isSeen(id: number): boolean {
  return [...elementsOf(id)].some((row) => {
    const { left, top, bottom } = row.getBoundingClientRect();
    const isAt = (y: number) => row.contains(document.elementFromPoint(left + 4, y));
    return isAt(top + 2) && isAt(bottom - 2);
  });
}

async function addRow(): Promise<void> {
  const userId = someRow().author?.id ?? 1;
  const { id } = await controller.fetch(todos.create, { title: newTitle(), done: false, userId });
  // frameworks render the row in one of the next frames
  for (let frame = 0; frame < 30 && !isRendered(id); frame++)
    await new Promise((resolve) => requestAnimationFrame(resolve));
  if (!isSeen(id)) for (const row of elementsOf(id)) row.scrollIntoView({ block: 'nearest' });
}

export function toggle(id: number, done: boolean): Promise<unknown> {
  return controller.fetch(todos.partialUpdate, { id }, { done: !done });
}

async function renameAuthor(): Promise<void> {
  const { author } = someRow();
  if (author === null) return renameAuthor();
  const [, ...family] = author.name.split(' ');
  const used = rows().map((todo) => todo.author?.name ?? '');
  const name = [next(names, used), ...family].join(' ');
  await controller.fetch(users.partialUpdate, { id: author.id }, { name });
}

export const levers: readonly Lever[] = [
  {
    title: 'Toggle a row',
    method: 'PATCH',
    says: 're-renders 1 row',
    async act() {
      const { id, done } = someRow();
      await toggle(id, done);
    },
  },
  {
    title: 'Rename a row',
    method: 'PATCH',
    says: 're-renders 1 row',
    async act() {
      const { id } = someRow();
      await controller.fetch(todos.partialUpdate, { id }, { title: newTitle() });
    },
  },
  {
    title: 'Rename an author',
    method: 'PATCH',
    says: 're-renders the rows of this author',
    act: renameAuthor,
  },
  {
    title: 'Add a row',
    method: 'POST',
    says: 're-renders the list, adds 1 row',
    act: addRow,
  },
  {
    title: 'Delete a row',
    method: 'DELETE',
    says: 're-renders the list, and no row',
    act: () => controller.fetch(todos.delete, { id: someRow().id }),
  },
  {
    title: 'Fetch the list',
    method: 'GET',
    says: 're-renders nothing: no data changed',
    act: () => controller.fetch(todos.getList),
  },
  {
    title: 'Fetch it 3 times',
    method: 'GET',
    says: 'sends 1 request, re-renders nothing',
    act: () => Promise.all([1, 2, 3].map(() => controller.fetch(todos.getList))),
  },
  {
    title: 'Fetch todo 404',
    method: 'GET',
    says: 'rejects its promise, re-renders nothing',
    act: () => controller.fetch(todos.get, { id: 404 }),
  },
  {
    title: 'Invalidate the list',
    method: 'store',
    says: 'all columns suspend, for 1 request',
    act: async () => controller.invalidate(todos.getList),
  },
  {
    title: 'Log out',
    method: 'store',
    says: 'empties the store; the list is refetched once',
    act: async () => controller.reset(),
  },
];
