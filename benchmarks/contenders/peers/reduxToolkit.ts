/**
 * Redux Toolkit: three entity adapters, one store, selectors. A view is a subscription that compares what its selector
 * gives, as useSelector does. Row views beside a snapshot list are given their row by it, which is faster; beside a list
 * of ids each selects its own.
 */
import {
  configureStore,
  createEntityAdapter,
  createSelector,
  createSlice,
  weakMapMemoize,
} from '@reduxjs/toolkit';
import type { PayloadAction } from '@reduxjs/toolkit';
import { byScore, touch } from '../../Contender.ts';
import type { Contender, Row } from '../../Contender.ts';
import { assemble, flatten } from '../flatten.ts';
import type { Author, Flat, Tag } from '../flatten.ts';
import { figuresOf, openOf, rowViews } from '../rowViews.ts';

const authors = createEntityAdapter<Author>();
const tags = createEntityAdapter<Tag>();
const articles = createEntityAdapter<Flat>();

const slice = createSlice({
  name: 'blog',
  initialState: {
    articles: articles.getInitialState(),
    authors: authors.getInitialState(),
    tags: tags.getInitialState(),
    list: [] as number[],
  },
  reducers: {
    listed(state, { payload }: PayloadAction<Row[]>) {
      authors.upsertMany(
        state.authors,
        Object.fromEntries(payload.map((r) => [r.author.id, r.author])),
      );
      tags.upsertMany(
        state.tags,
        Object.fromEntries(payload.flatMap((r) => r.tags).map((t) => [t.id, t])),
      );
      articles.upsertMany(state.articles, payload.map(flatten));
      state.list = payload.map(({ id }) => id);
    },
    changed(state, { payload }: PayloadAction<{ id: number; changes: Partial<Flat> }>) {
      articles.updateOne(state.articles, payload);
    },
    renamed(state, { payload }: PayloadAction<{ id: number; changes: Partial<Author> }>) {
      authors.updateOne(state.authors, payload);
    },
    pushed(state, { payload }: PayloadAction<Row>) {
      authors.upsertOne(state.authors, payload.author);
      tags.upsertMany(state.tags, payload.tags);
      articles.upsertOne(state.articles, flatten(payload));
      state.list.push(payload.id);
    },
    moved(state, { payload }: PayloadAction<number>) {
      state.list = [payload, ...state.list.filter((id) => id !== payload)];
    },
    removed(state, { payload }: PayloadAction<number>) {
      articles.removeOne(state.articles, payload);
      state.list = state.list.filter((id) => id !== payload);
    },
  },
});

type State = ReturnType<typeof slice.reducer>;
const { listed, changed, renamed, pushed, moved, removed } = slice.actions;

export function reduxToolkit(): Contender {
  // immutability and serializability checks are of development only
  const store = configureStore({ reducer: slice.reducer, devTools: false });
  /** The same row as long as it is made of the same parts. */
  const build = weakMapMemoize((flat: Flat, author: Author, ...tags: Tag[]): Row =>
    assemble(flat, author, tags),
  );
  const rowOf = (state: State, id: number): Row | undefined => {
    const flat = state.articles.entities[id];
    if (flat === undefined) return undefined;
    return build(
      flat,
      state.authors.entities[flat.author] as Author,
      ...flat.tags.map((tag) => state.tags.entities[tag] as Tag),
    );
  };
  const list = createSelector([(state: State) => state], (state) =>
    state.list.map((id) => rowOf(state, id) as Row),
  );
  const open = createSelector([list], openOf);
  const sorted = createSelector([open], (rows) => [...rows].sort(byScore));
  const figures = createSelector([open], figuresOf);
  const watch = <T>(select: (state: State) => T, run: (value: T) => void): void => {
    let last = select(store.getState());
    store.subscribe(() => {
      const next = select(store.getState());
      if (next === last) return;
      last = next;
      run(next);
    });
  };
  return {
    name: 'Redux Toolkit',
    ingest: (rows) => void store.dispatch(listed(rows)),
    readAll: () => touch(list(store.getState())),
    mount(ids, form) {
      let runs = 0;
      if (form === 'snapshot') {
        const show = rowViews(ids, list(store.getState()));
        watch(list, (rows) => (runs += show(rows) + 1));
        return () => runs;
      }
      for (const id of ids) {
        watch(
          (state) => rowOf(state, id),
          () => runs++,
        );
      }
      if (form === 'membership')
        watch(
          (state) => state.list,
          () => runs++,
        );
      return () => runs;
    },
    mountDerived() {
      let runs = 0;
      watch(sorted, () => runs++);
      watch(figures, () => runs++);
      return () => runs;
    },
    changeRow: (id, title) => void store.dispatch(changed({ id, changes: { title } })),
    changeScore: (id, score) => void store.dispatch(changed({ id, changes: { score } })),
    changeAuthor: (id, name) => void store.dispatch(renamed({ id, changes: { name } })),
    push: (row) => void store.dispatch(pushed(row)),
    move: (id) => void store.dispatch(moved(id)),
    remove: (id) => void store.dispatch(removed(id)),
    async optimistic(id, title, answer) {
      const before = store.getState().articles.entities[id]?.title ?? '';
      store.dispatch(changed({ id, changes: { title } }));
      try {
        store.dispatch(changed({ id, changes: flatten(await answer) }));
      } catch (error) {
        store.dispatch(changed({ id, changes: { title: before } }));
        throw error;
      }
    },
  };
}
