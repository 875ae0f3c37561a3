/** The page by hand: elements are made from strings and kept by id, a change touches what it must. */
import { memory } from '../memory.ts';
import { cardOf, drawnOf, labelsOf, place, rowId } from '../App.ts';
import type { App, Issue, ListParams, Page } from '../App.ts';

interface List {
  readonly name: string;
  readonly params: ListParams;
  readonly sorted: boolean;
  readonly element: HTMLElement;
  readonly limit: number | undefined;
  /** All of it, drawn or not. */
  rows: Issue[];
}

interface Cells {
  readonly row: HTMLElement;
  readonly title: Text;
  readonly state: Text;
  readonly login: Text;
  readonly comments: Text;
}

const template = document.createElement('template');
const user =
  '<span class="user"><u> </u> <em> </em> <span> </span> <q> </q> <span> </span> <time> </time></span>';
template.innerHTML = `<li><b>#</b> <span class="title"> </span> ${user} <i> </i> <small> </small> <span> </span> <span> </span></li>`;

let lists: List[] = [];
const issues = new Map<number, Issue>();
/** All elements of an issue. */
const cells = new Map<number, Map<string, Cells>>();
const byUser = new Map<number, Set<number>>();

type Seven = [Element, Element, HTMLElement, Element, Element, Element, Element];

function text(element: Element | undefined, data: string): Text {
  const node = element?.firstChild as Text;
  node.data = data;
  return node;
}

/** Gives the text of the login. */
function fillCard(card: HTMLElement, { user }: Issue): Text {
  const { colour, initials, login, name, bio, followers, since } = cardOf(user);
  card.style.color = colour;
  const texts = [initials, login, name, bio, followers, since];
  return texts.map((data, at) => text(card.children[at], data))[1] as Text;
}

function draw(list: string, issue: Issue): HTMLElement {
  const row = template.content.firstElementChild?.cloneNode(true) as HTMLElement;
  row.id = rowId(list, issue.id);
  row.className = issue.state;
  const [number, title, card, state, comments, labels, body] = row.children as never as Seven;
  text(number, `#${issue.id}`);
  const texts = { title: text(title, issue.title), state: text(state, issue.state) };
  const login = fillCard(card, issue);
  text(labels, labelsOf(issue));
  text(body, issue.body);
  issues.set(issue.id, issue);
  let places = cells.get(issue.id);
  if (places === undefined) cells.set(issue.id, (places = new Map()));
  places.set(list, { row, ...texts, login, comments: text(comments, String(issue.comments)) });
  let own = byUser.get(issue.user.id);
  if (own === undefined) byUser.set(issue.user.id, (own = new Set()));
  own.add(issue.id);
  return row;
}

async function fill(list: List): Promise<void> {
  const { name, params, sorted, element, limit } = list;
  const answer = await memory.list(params);
  if (sorted) answer.sort((a, b) => (a.title < b.title ? -1 : 1));
  list.rows = answer;
  element.append(...drawnOf(answer, limit).map((issue) => draw(name, issue)));
}

function show(page: Page | null): void {
  const root = place();
  root.textContent = '';
  lists = [];
  cells.clear();
  byUser.clear();
  if (page === null) return;
  const { kind, milestone, detail, limit } = page;
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
    lists.push({ name, params, sorted, element: add(name), limit, rows: [] });
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

/** An issue enters or leaves a list: so may what stands at the end of what is drawn. */
function enter(list: List, at: number, issue: Issue): void {
  const { name, element, limit = Infinity, rows } = list;
  rows.splice(at, 0, issue);
  if (at >= limit) return;
  element.insertBefore(draw(name, issue), element.children[at] ?? null);
  if (rows.length > limit) undraw(list, rows[limit] as Issue);
}

function leave(list: List, { id }: Issue): void {
  const { name, element, limit = Infinity, rows } = list;
  const at = rows.findIndex((issue) => issue.id === id);
  if (at === -1) return;
  undraw(list, rows.splice(at, 1)[0] as Issue);
  const next = at < limit ? rows[limit - 1] : undefined;
  if (next !== undefined) element.append(draw(name, issues.get(next.id) ?? next));
}

function undraw({ name }: List, { id }: Issue): void {
  const places = cells.get(id);
  places?.get(name)?.row.remove();
  places?.delete(name);
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
    if (list !== undefined) enter(list, 0, made);
  },
  async remove(issue) {
    await memory.remove(issue.id);
    for (const list of lists) leave(list, issue);
  },
  async move(issue, to) {
    const moved = await memory.patch(issue.id, { state: to });
    for (const list of lists) leave(list, issue);
    const list = lists.find(({ name }) => name === to);
    if (list !== undefined) enter(list, list.rows.length, moved);
  },
  receive: (id, comments) => everyCell(id, (cell) => (cell.comments.data = String(comments))),
};
