/** The page by hand: elements are made from strings and kept by id, a change touches what it must. */
import { memory } from '../memory.ts';
import { place, rowId } from '../App.ts';
import type { App, Issue, ListParams, Page } from '../App.ts';

interface List {
  readonly name: string;
  readonly params: ListParams;
  readonly sorted: boolean;
  readonly element: HTMLElement;
}

interface Cells {
  readonly row: HTMLElement;
  readonly title: Text;
  readonly state: Text;
  readonly login: Text;
  readonly comments: Text;
}

const template = document.createElement('template');
template.innerHTML =
  '<li><b>#</b> <span class="title"> </span> <i> </i> <em> </em> <small> </small></li>';

let lists: List[] = [];
const issues = new Map<number, Issue>();
/** All elements of an issue. */
const cells = new Map<number, Map<string, Cells>>();
const byUser = new Map<number, Set<number>>();

function draw(list: string, issue: Issue): HTMLElement {
  const row = template.content.firstElementChild?.cloneNode(true) as HTMLElement;
  row.id = rowId(list, issue.id);
  row.className = issue.state;
  const [number, title, state, login, comments] = [...row.children].map(
    ({ firstChild }) => firstChild,
  ) as [Text, Text, Text, Text, Text];
  number.data = `#${issue.id}`;
  title.data = issue.title;
  state.data = issue.state;
  login.data = issue.user.login;
  comments.data = String(issue.comments);
  issues.set(issue.id, issue);
  let places = cells.get(issue.id);
  if (places === undefined) cells.set(issue.id, (places = new Map()));
  places.set(list, { row, title, state, login, comments });
  let own = byUser.get(issue.user.id);
  if (own === undefined) byUser.set(issue.user.id, (own = new Set()));
  own.add(issue.id);
  return row;
}

async function fill({ name, params, sorted, element }: List): Promise<void> {
  const answer = await memory.list(params);
  if (sorted) answer.sort((a, b) => (a.title < b.title ? -1 : 1));
  element.append(...answer.map((issue) => draw(name, issue)));
}

function show(page: Page | null): void {
  const root = place();
  root.textContent = '';
  lists = [];
  cells.clear();
  byUser.clear();
  if (page === null) return;
  const { kind, milestone, detail } = page;
  root.innerHTML = '<p><input id="search"> <output></output></p>';
  const input = root.querySelector('input') as HTMLInputElement;
  input.addEventListener('input', () => {
    (root.querySelector('output') as HTMLOutputElement).textContent = input.value;
  });
  const add = (name: string): HTMLElement => {
    const element = document.createElement('ul');
    element.id = name;
    return root.appendChild(element);
  };
  const addList = (name: string, params: ListParams, sorted = false): void => {
    lists.push({ name, params, sorted, element: add(name) });
  };
  if (kind === 'three') {
    const alone = add('detail');
    void memory.issue(detail).then((issue) => alone.append(draw('detail', issue)));
    addList('pinned', { milestone, pinned: true });
  }
  addList('open', { milestone, state: 'open' }, kind === 'sorted');
  if (kind === 'two') addList('closed', { milestone, state: 'closed' });
  for (const list of lists) void fill(list);
}

function everyCell(id: number, change: (cell: Cells) => void): void {
  for (const cell of cells.get(id)?.values() ?? []) change(cell);
}

/** Puts a row before the first one whose title is greater: by halves, for rows are in order. */
function sortIn(element: HTMLElement, row: HTMLElement, title: string): void {
  row.remove();
  const { children } = element;
  let low = 0;
  let high = children.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = issues.get(Number(children[middle]?.id.slice('open-'.length)));
    if (other !== undefined && other.title < title) low = middle + 1;
    else high = middle;
  }
  element.insertBefore(row, children[low] ?? null);
}

export const app: App = {
  name: 'vanilla',
  show,
  async retitle(id, title) {
    const issue = await memory.patch(id, { title });
    issues.set(id, issue);
    everyCell(id, (cell) => (cell.title.data = title));
    for (const { sorted, name, element } of lists) {
      const row = cells.get(id)?.get(name)?.row;
      if (sorted && row !== undefined) sortIn(element, row, title);
    }
  },
  async rename(user, name) {
    const { login } = await memory.rename(user, name);
    for (const id of byUser.get(user) ?? []) everyCell(id, (cell) => (cell.login.data = login));
  },
  async unshift(issue) {
    const made = await memory.create(issue);
    const list = lists.find(({ name }) => name === made.state);
    list?.element.prepend(draw(list.name, made));
  },
  async remove({ id }) {
    await memory.remove(id);
    everyCell(id, ({ row }) => row.remove());
    cells.delete(id);
  },
  async move({ id }, to) {
    const moved = await memory.patch(id, { state: to });
    everyCell(id, ({ row }) => row.remove());
    cells.delete(id);
    const list = lists.find(({ name }) => name === to);
    list?.element.append(draw(list.name, moved));
  },
  receive: (id, comments) => everyCell(id, (cell) => (cell.comments.data = String(comments))),
};
