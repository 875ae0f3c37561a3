/** A store written by hand for this page: one signal per field that changes, one per list; users are shared. */
import { memory } from '../memory.ts';
import type { App, Issue, ListParams, User } from '../App.ts';

/** A signal of any library. */
export interface Box<T> {
  value: T;
}

/** An issue whose fields are read from signals. */
interface Row extends Issue {
  enter(issue: Issue): void;
}

/** A user whose login is read from a signal. */
interface Named extends User {
  login: string;
}

interface Lent {
  readonly signal: <T>(value: T) => Box<T>;
  readonly batch: (work: () => void) => void;
  readonly untracked: <T>(read: () => T) => T;
}

export interface SignalStore {
  list(params: ListParams): Box<readonly Row[] | undefined>;
  sorted(params: ListParams): Box<readonly Row[] | undefined>;
  issue(id: number): Box<Row | undefined>;
  readonly verbs: Omit<App, 'name' | 'show'>;
}

export function makeSignalStore({ signal, batch, untracked }: Lent): SignalStore {
  const rows = new Map<number, Row>();
  const users = new Map<number, Named>();
  const lists = new Map<string, Box<readonly Row[] | undefined>>();
  const orders = new Map<string, Box<readonly Row[] | undefined>>();

  function makeUser(user: User): Named {
    const box = signal(user.login);
    return {
      ...user,
      get login() {
        return box.value;
      },
      set login(to) {
        box.value = to;
      },
    };
  }

  function makeRow(issue: Issue, user: User): Row {
    const { id, milestone, pinned, labels, body } = issue;
    const title = signal(issue.title);
    const state = signal(issue.state);
    const comments = signal(issue.comments);
    return {
      id,
      milestone,
      pinned,
      labels,
      body,
      user,
      get title() {
        return title.value;
      },
      get state() {
        return state.value;
      },
      get comments() {
        return comments.value;
      },
      enter(to) {
        title.value = to.title;
        state.value = to.state;
        comments.value = to.comments;
      },
    };
  }

  function enter(issue: Issue): Row {
    let user = users.get(issue.user.id);
    if (user === undefined) users.set(issue.user.id, (user = makeUser(issue.user)));
    else user.login = issue.user.login;
    let row = rows.get(issue.id);
    if (row === undefined) rows.set(issue.id, (row = makeRow(issue, user)));
    else row.enter(issue);
    return row;
  }

  function list(params: ListParams): Box<readonly Row[] | undefined> {
    const key = JSON.stringify(params);
    let box = lists.get(key);
    if (box !== undefined) return box;
    lists.set(key, (box = signal<readonly Row[] | undefined>(undefined)));
    void memory.list(params).then((answer) => {
      batch(() => change(key, () => answer.map(enter)));
    });
    return box;
  }

  function change(key: string, to: (before: readonly Row[]) => readonly Row[]): void {
    const box = lists.get(key) as Box<readonly Row[] | undefined>;
    box.value = to(box.value ?? []);
    sort(key);
  }

  function sort(key: string): void {
    const order = orders.get(key);
    if (order !== undefined) order.value = ordered(lists.get(key)?.value);
  }

  function each(to: (before: readonly Row[], params: ListParams) => readonly Row[]): void {
    for (const key of lists.keys()) change(key, (rows) => to(rows, JSON.parse(key) as ListParams));
  }

  const verbs: SignalStore['verbs'] = {
    async retitle(id, title) {
      const answer = await memory.patch(id, { title });
      batch(() => {
        enter(answer);
        for (const key of orders.keys()) sort(key);
      });
    },
    async rename(user, name) {
      const { login } = await memory.rename(user, name);
      Object.assign(users.get(user) as User, { login });
    },
    async unshift(issue) {
      const made = await memory.create(issue);
      batch(() => {
        const row = enter(made);
        each((rows, { state }) => (state === made.state ? [row, ...rows] : rows));
      });
    },
    async remove({ id }) {
      await memory.remove(id);
      batch(() => each((before) => before.filter((row) => row.id !== id)));
    },
    async move({ id }, to) {
      const answer = await memory.patch(id, { state: to });
      batch(() => {
        const moved = enter(answer);
        each((before, { state }) => {
          const others = before.filter((row) => row.id !== id);
          return state === to ? [...others, moved] : others;
        });
      });
    },
    receive(id, comments) {
      const row = rows.get(id) as Row;
      row.enter({ ...row, comments });
    },
  };

  return {
    list,
    verbs,
    sorted(params) {
      const key = JSON.stringify(params);
      let order = orders.get(key);
      if (order === undefined)
        orders.set(key, (order = signal(untracked(() => ordered(list(params).value)))));
      return order;
    },
    issue(id) {
      const box = signal(rows.get(id));
      if (box.value === undefined) {
        void memory.issue(id).then((answer) => (box.value = enter(answer)));
      }
      return box;
    },
  };
}

function ordered(rows: readonly Row[] | undefined): readonly Row[] | undefined {
  return rows && [...rows].sort((a, b) => (a.title < b.title ? -1 : 1));
}
