/**
 * Apollo Client with its InMemoryCache. Rows beside a snapshot list are given to their views by it; beside a list of ids each
 * has its own fragment, as with useFragment. Fields are changed by `cache.modify`, which is faster than writing a
 * fragment.
 */
import { ApolloClient, ApolloLink, gql, InMemoryCache } from '@apollo/client';
import { Observable } from 'rxjs';
import { byScore, touch } from '../../Contender.ts';
import type { Contender, Row } from '../../Contender.ts';
import { figuresOf, openOf, rowViews } from '../rowViews.ts';

interface Listed {
  readonly articles: Row[];
}

const fields = gql`
  fragment Fields on Article {
    __typename
    id
    title
    content
    score
    completed
    createdAt
    author {
      __typename
      id
      name
      email
      bio
      followers
    }
    tags {
      __typename
      id
      name
    }
  }
`;
const query = gql`
  query List {
    articles {
      ...Fields
    }
  }
  ${fields}
`;
const idsQuery = gql`
  query Ids {
    articles {
      __typename
      id
    }
  }
`;
const mutation = gql`
  mutation Update($id: Int!, $title: String!) {
    update(id: $id, title: $title) {
      __typename
      id
      title
    }
  }
`;

/** As a GraphQL server would have named them. */
function named(row: Row): Row {
  Object.assign(row, { __typename: 'Article' });
  Object.assign(row.author, { __typename: 'Author' });
  for (const tag of row.tags) Object.assign(tag, { __typename: 'Tag' });
  return row;
}

export function apollo(): Contender {
  const answers = new Map<number, Promise<Row>>();
  const link = new ApolloLink(
    ({ variables }) =>
      new Observable((observer) => {
        const { id, title } = variables as { id: number; title: string };
        answers.get(id)?.then(
          () => {
            observer.next({ data: { update: { __typename: 'Article', id, title } } });
            observer.complete();
          },
          (error) => observer.error(error),
        );
      }),
  );
  const cache = new InMemoryCache();
  const client = new ApolloClient({ cache, link });
  const list = () => cache.readQuery<Listed>({ query, optimistic: true })?.articles ?? [];
  const watchList = (run: (rows: Row[]) => void): void => {
    let last: unknown = list();
    cache.watch<Listed>({
      query,
      optimistic: true,
      callback({ result }) {
        const { articles = [] } = result as Partial<Listed>;
        if (articles === last) return;
        last = articles;
        run(articles);
      },
    });
  };
  const modify = (id: string, changed: Record<string, unknown>): void =>
    void cache.modify({
      id,
      fields: Object.fromEntries(Object.entries(changed).map(([key, value]) => [key, () => value])),
    });
  type Refs = readonly { readonly __ref: string }[];
  const relist = (change: (refs: Refs) => Refs): void =>
    void cache.modify({ fields: { articles: (refs) => change(refs as Refs) as never } });
  const key = (id: number) => `Article:${id}`;
  return {
    name: 'Apollo',
    ingest: (rows) => void cache.writeQuery({ query, data: { articles: rows.map(named) } }),
    readAll: () => touch(list()),
    mount(ids, form) {
      let runs = 0;
      if (form === 'snapshot') {
        const show = rowViews(ids, list());
        watchList((rows) => (runs += show(rows) + 1));
        return () => runs;
      }
      for (const id of ids) {
        const from = { __typename: 'Article', id };
        client.watchFragment({ fragment: fields, from }).subscribe(() => runs++);
      }
      if (form === 'membership') {
        cache.watch({ query: idsQuery, optimistic: true, callback: () => runs++ });
      }
      runs = 0;
      return () => runs;
    },
    mountDerived() {
      let runs = 0;
      watchList((rows) => {
        const open = openOf(rows);
        figuresOf(open);
        open.sort(byScore);
        runs += 2;
      });
      return () => runs;
    },
    changeRow: (id, title) => modify(key(id), { title }),
    changeScore: (id, score) => modify(key(id), { score }),
    changeAuthor: (id, name) => modify(`Author:${id}`, { name }),
    push: (row) =>
      cache.batch({
        update() {
          const data = named(row);
          cache.writeFragment({ fragment: fields, data });
          relist((refs) => [...refs, { __ref: key(row.id) }]);
        },
      }),
    move: (id) =>
      relist((refs) => [{ __ref: key(id) }, ...refs.filter(({ __ref }) => __ref !== key(id))]),
    remove: (id) =>
      cache.batch({
        update() {
          relist((refs) => refs.filter(({ __ref }) => __ref !== key(id)));
          cache.evict({ id: key(id) });
        },
      }),
    optimistic(id, title, answer) {
      answers.set(id, answer);
      return client.mutate({
        mutation,
        variables: { id, title },
        optimisticResponse: { update: { __typename: 'Article', id, title } },
      });
    },
  };
}
