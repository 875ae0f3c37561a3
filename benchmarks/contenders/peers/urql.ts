/**
 * urql with Graphcache. Data come in as answers of an exchange that answers at once; a change is a mutation. Rows beside
 * a snapshot list are given to their views by it; beside a list of ids each has a query of its own.
 */
import { Client, createRequest, gql } from '@urql/core';
import type { AnyVariables, DocumentInput, Exchange, Operation, OperationResult } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import type { Cache } from '@urql/exchange-graphcache';
import { filter, fromPromise, fromValue, mergeMap, pipe, subscribe } from 'wonka';
import { byScore, settled, touch } from '../../Contender.ts';
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
const list = gql<Listed>`
  query List {
    articles {
      ...Fields
    }
  }
  ${fields}
`;
const ids = gql`
  query Ids {
    articles {
      __typename
      id
    }
  }
`;
const one = gql`
  query One($id: Int!) {
    article(id: $id) {
      ...Fields
    }
  }
  ${fields}
`;
const patch = gql`
  mutation Patch($id: Int!, $title: String!) {
    patch(id: $id, title: $title) {
      __typename
      id
      title
    }
  }
`;
const score = gql`
  mutation Score($id: Int!, $score: Int!) {
    patch(id: $id, score: $score) {
      __typename
      id
      score
    }
  }
`;
const rename = gql`
  mutation Rename($id: Int!, $name: String!) {
    rename(id: $id, name: $name) {
      __typename
      id
      name
    }
  }
`;
const push = gql`
  mutation Push {
    push {
      ...Fields
    }
  }
  ${fields}
`;
const move = gql`
  mutation Move($id: Int!) {
    move(id: $id)
  }
`;
const remove = gql`
  mutation Remove($id: Int!) {
    remove(id: $id)
  }
`;
const update = gql`
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

const keyOf = (id: unknown): string => `Article:${String(id)}`;
function relist(cache: Cache, change: (keys: string[]) => string[]): void {
  cache.link('Query', 'articles', change(cache.resolve('Query', 'articles') as string[]));
}

const graphcache = () =>
  cacheExchange({
    resolvers: { Query: { article: (_, { id }) => ({ __typename: 'Article', id: id as number }) } },
    optimistic: {
      update: ({ id, title }) => ({
        __typename: 'Article',
        id: id as number,
        title: title as string,
      }),
    },
    updates: {
      Mutation: {
        push: (result, _, cache) =>
          relist(cache, (keys) => [...keys, keyOf((result['push'] as unknown as Row).id)]),
        move: (_, { id }, cache) =>
          relist(cache, (keys) => [keyOf(id), ...keys.filter((key) => key !== keyOf(id))]),
        remove(_, { id }, cache) {
          relist(cache, (keys) => keys.filter((key) => key !== keyOf(id)));
          cache.invalidate(keyOf(id));
        },
      },
    },
  });

export function urql(): Contender {
  let answer: Record<string, unknown> = {};
  const answers = new Map<number, Promise<Row>>();
  const respond = async (operation: Operation): Promise<OperationResult> => {
    const { id, title } = operation.variables as { id: number; title: string };
    const result = { operation, stale: false, hasNext: false };
    try {
      await answers.get(id);
      return { ...result, data: { update: { __typename: 'Article', id, title } } };
    } catch (error) {
      return { ...result, data: undefined, error: error as never };
    }
  };
  /** A row that is asked for because the cache has it no more is not there. */
  const dataFor = ({ kind, variables }: Operation): object =>
    kind === 'mutation' || variables === undefined ? answer : { article: null };
  const server: Exchange = () => (operations) =>
    pipe(
      operations,
      filter(({ kind }) => kind !== 'teardown'),
      mergeMap((operation) =>
        answer['update'] === true
          ? fromPromise(respond(operation))
          : fromValue({ operation, data: dataFor(operation), stale: false, hasNext: false }),
      ),
    );
  const client = new Client({
    url: 'http://localhost',
    preferGetMethod: false,
    exchanges: [graphcache(), server],
  });
  const mutate = (document: DocumentInput, variables: AnyVariables, data: object): void => {
    answer = { __typename: 'Mutation', ...data };
    pipe(
      client.executeMutation(createRequest(document, variables)),
      subscribe(() => {}),
    ).unsubscribe();
  };
  const rows = (): Row[] => client.readQuery(list, {})?.data?.articles ?? [];
  const watch = (document: DocumentInput, variables: object, run: (data: Listed) => void): void => {
    let last: unknown;
    pipe(
      client.executeQuery(createRequest(document, variables as AnyVariables)),
      subscribe(({ data }) => {
        if (data === last || !data) return;
        last = data;
        run(data as Listed);
      }),
    );
  };
  return {
    name: 'urql graphcache',
    settled,
    ingest(rows) {
      answer = { __typename: 'Query', articles: rows.map(named) };
      pipe(
        client.executeQuery(createRequest(list, {}), { requestPolicy: 'network-only' }),
        subscribe(() => {}),
      ).unsubscribe();
    },
    readAll: () => touch(rows()),
    mount(shown, form) {
      let runs = 0;
      if (form === 'snapshot') {
        const show = rowViews(shown, rows());
        watch(list, {}, ({ articles }) => (runs += show(articles) + 1));
      } else {
        for (const id of shown) watch(one, { id }, () => runs++);
        if (form === 'membership') watch(ids, {}, () => runs++);
      }
      runs = 0;
      return () => runs;
    },
    mountDerived() {
      let runs = 0;
      watch(list, {}, ({ articles }) => {
        const open = openOf(articles);
        figuresOf(open);
        open.sort(byScore);
        runs += 2;
      });
      runs = 0;
      return () => runs;
    },
    changeRow: (id, title) =>
      mutate(patch, { id, title }, { patch: { __typename: 'Article', id, title } }),
    changeScore: (id, to) =>
      mutate(score, { id, score: to }, { patch: { __typename: 'Article', id, score: to } }),
    changeAuthor: (id, name) =>
      mutate(rename, { id, name }, { rename: { __typename: 'Author', id, name } }),
    push: (row) => mutate(push, {}, { push: named(row) }),
    move: (id) => mutate(move, { id }, { move: id }),
    remove: (id) => mutate(remove, { id }, { remove: id }),
    optimistic(id, title, promise) {
      answers.set(id, promise);
      answer = { update: true };
      return client.mutation(update, { id, title }).toPromise();
    },
  };
}
