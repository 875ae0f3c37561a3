/** Everything that can be done here, one lever each, with what it must wake. */
import type { Todo } from '../resources.ts';
import { controller, todos, users } from './world.ts';

export interface Lever {
  readonly title: string;
  readonly method: 'GET' | 'PATCH' | 'POST' | 'DELETE' | 'store';
  /** What must come of it, in each column. */
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

/** The next of some words, none that is on the page already if that can be. */
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

/** Any row will do. */
function someRow(): Todo {
  const all = rows();
  const found = all[Math.floor(Math.random() * all.length)];
  if (found === undefined) throw new Error('The list is empty: add a row first.');
  return found;
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
    says: 'wakes 1 row',
    async act() {
      const { id, done } = someRow();
      await toggle(id, done);
    },
  },
  {
    title: 'Rename a row',
    method: 'PATCH',
    says: 'wakes 1 row',
    async act() {
      const { id } = someRow();
      await controller.fetch(todos.partialUpdate, { id }, { title: newTitle() });
    },
  },
  {
    title: 'Rename an author',
    method: 'PATCH',
    says: 'wakes the rows of this author',
    act: renameAuthor,
  },
  {
    title: 'Add a row',
    method: 'POST',
    says: 'wakes the list, and draws 1 row',
    act: () =>
      controller.fetch(todos.create, {
        title: newTitle(),
        done: false,
        userId: someRow().author?.id ?? 1,
      }),
  },
  {
    title: 'Delete a row',
    method: 'DELETE',
    says: 'wakes the list, and no row',
    act: () => controller.fetch(todos.delete, { id: someRow().id }),
  },
  {
    title: 'Fetch the list',
    method: 'GET',
    says: 'wakes nobody: nothing changed',
    act: () => controller.fetch(todos.getList),
  },
  {
    title: 'Fetch it 3 times',
    method: 'GET',
    says: 'sends 1 request, wakes nobody',
    act: () => Promise.all([1, 2, 3].map(() => controller.fetch(todos.getList))),
  },
  {
    title: 'Ask for no. 404',
    method: 'GET',
    says: 'tells who asked, wakes nobody',
    act: () => controller.fetch(todos.get, { id: 404 }),
  },
  {
    title: 'Invalidate the list',
    method: 'store',
    says: 'all wait, for 1 request',
    act: async () => controller.invalidate(todos.getList),
  },
  {
    title: 'Log out',
    method: 'store',
    says: 'empties the store: all ask anew',
    act: async () => controller.reset(),
  },
];
