/** An issue tracker, drawn alike for each library: a table with pages and filters, a board, an issue with its comments. */
import { memo, useState } from 'react';
import type { ComponentType, ReactElement, ReactNode } from 'react';

export const STATES = ['open', 'review', 'closed'] as const;
export type State = (typeof STATES)[number];

export interface User {
  readonly id: number;
  readonly name: string;
}

export interface Issue {
  readonly id: number;
  readonly title: string;
  readonly state: State;
  readonly assignee: User;
  readonly comments: number;
}

export interface Comment {
  readonly id: number;
  readonly issue: number;
  readonly text: string;
  readonly author: User;
}

/** A page of the table; without a state, of all issues. */
export interface TableParams {
  readonly page: number;
  readonly state?: State | undefined;
}

export type Changes = Partial<Pick<Issue, 'title' | 'state'>>;

/** The functions that the buttons call. */
export interface Actions {
  readonly change: (issue: Issue, changes: Changes) => void;
  readonly addComment: (issue: Issue, text: string) => void;
  readonly removeComment: (comment: Comment) => void;
}

/** What differs between the libraries: each component reads its data, and renders `children` with them. */
export interface Library {
  readonly Root: ComponentType<{ readonly children: ReactNode }>;
  readonly Reading: ComponentType<{
    readonly params: TableParams;
    readonly children: (issues: readonly Issue[], isFetching: boolean) => ReactElement;
  }>;
  readonly ReadingState: ComponentType<{
    readonly state: State;
    readonly children: (issues: readonly Issue[]) => ReactElement;
  }>;
  readonly ReadingIssue: ComponentType<{
    readonly id: number;
    readonly children: (issue: Issue, comments: readonly Comment[]) => ReactElement;
  }>;
  /** Shows that its children load. */
  readonly Loading: ComponentType<{ readonly children: ReactNode }>;
  readonly useActions: () => Actions;
  /** The number of requests in flight. */
  readonly useFetching: () => number;
  /** Changes the page, and keeps what is on the screen until the data have arrived. */
  readonly useNavigation: () => (change: () => void) => void;
}

/** How often components have rendered, by name. */
export const renders = new Map<string, number>();
export const count = (name: string): void => void renders.set(name, (renders.get(name) ?? 0) + 1);

type View = { readonly kind: 'table'; readonly params: TableParams } | { readonly kind: 'board' };

/** The app of a library; `isMemo`: rows, cards and comments render only if their props have changed. */
export function trackerOf(library: Library, isMemo: boolean): () => ReactElement {
  const { Root, Reading, ReadingState, ReadingIssue, Loading, useActions } = library;
  const { useFetching, useNavigation } = library;
  const maybeMemo = <P extends object>(component: (props: P) => ReactElement) =>
    isMemo ? (memo(component) as unknown as typeof component) : component;

  const Person = maybeMemo(({ user }: { user: User }) => {
    count('Person');
    return <i>{user.name}</i>;
  });
  const Badge = maybeMemo(({ state }: { state: State }) => {
    count('Badge');
    return <b>{state}</b>;
  });
  const TableRow = maybeMemo(({ issue, open }: { issue: Issue; open: (id: number) => void }) => {
    count('TableRow');
    return (
      <tr>
        <td>
          <button id={`open-${issue.id}`} onClick={() => open(issue.id)}>
            {issue.title}
          </button>
          <Badge state={issue.state} />
          <Person user={issue.assignee} />
          {issue.comments}
        </td>
      </tr>
    );
  });
  const Card = maybeMemo(({ issue, open }: { issue: Issue; open: (id: number) => void }) => {
    count('Card');
    const { change } = useActions();
    const next = STATES[(STATES.indexOf(issue.state) + 1) % STATES.length] as State;
    return (
      <li>
        <button id={`open-${issue.id}`} onClick={() => open(issue.id)}>
          {issue.title}
        </button>
        <button id={`move-${issue.id}`} onClick={() => change(issue, { state: next })} />
        <Person user={issue.assignee} />
      </li>
    );
  });
  const CommentRow = maybeMemo(({ comment }: { comment: Comment }) => {
    count('CommentRow');
    const { removeComment } = useActions();
    return (
      <li>
        {comment.text}
        <Person user={comment.author} />
        <button id={`remove-${comment.id}`} onClick={() => removeComment(comment)} />
      </li>
    );
  });

  function Fetching(): ReactElement {
    count('Fetching');
    return <u>{useFetching()}</u>;
  }

  function Filters({
    params,
    go,
  }: {
    params: TableParams;
    go: (view: View) => void;
  }): ReactElement {
    count('Filters');
    const button = (name: string, next: TableParams) => (
      <button id={name} onClick={() => go({ kind: 'table', params: next })}>
        {name}
      </button>
    );
    return (
      <nav>
        {button('all', { page: 1 })}
        {STATES.map((state) => (
          <span key={state}>{button(state, { page: 1, state })}</span>
        ))}
        {button('next', { ...params, page: params.page + 1 })}
        {button('previous', { ...params, page: params.page - 1 })}
        <button id="board" onClick={() => go({ kind: 'board' })} />
        <button id="table" onClick={() => go({ kind: 'table', params: { page: 1 } })} />
      </nav>
    );
  }

  function Table({ params, open }: { params: TableParams; open: (id: number) => void }) {
    count('Table');
    return (
      <Reading params={params}>
        {(issues, isFetching) => {
          count('Table data');
          return (
            <table data-fetching={isFetching}>
              <tbody>
                {issues.map((issue) => (
                  <TableRow key={issue.id} issue={issue} open={open} />
                ))}
              </tbody>
            </table>
          );
        }}
      </Reading>
    );
  }

  function Column({ state, open }: { state: State; open: (id: number) => void }): ReactElement {
    count('Column');
    return (
      <ReadingState state={state}>
        {(issues) => {
          count('Column data');
          return (
            <ul id={`column-${state}`}>
              {issues.map((issue) => (
                <Card key={issue.id} issue={issue} open={open} />
              ))}
            </ul>
          );
        }}
      </ReadingState>
    );
  }

  function Detail({ id, close }: { id: number; close: () => void }): ReactElement {
    count('Detail');
    const { change, addComment } = useActions();
    return (
      <ReadingIssue id={id}>
        {(issue, comments) => {
          count('Detail data');
          return (
            <section>
              <h1 id="title">{issue.title}</h1>
              <Badge state={issue.state} />
              <Person user={issue.assignee} />
              <button id="rename" onClick={() => change(issue, { title: `${issue.title}!` })} />
              <button id="close" onClick={() => change(issue, { state: 'closed' })} />
              <button id="reopen" onClick={() => change(issue, { state: 'open' })} />
              <button id="comment" onClick={() => addComment(issue, `of ${issue.title}`)} />
              <button id="back" onClick={close} />
              <ol>
                {comments.map((comment) => (
                  <CommentRow key={comment.id} comment={comment} />
                ))}
              </ol>
            </section>
          );
        }}
      </ReadingIssue>
    );
  }

  function App(): ReactElement {
    count('App');
    const navigate = useNavigation();
    const [view, setView] = useState<View>({ kind: 'table', params: { page: 1 } });
    const [detail, setDetail] = useState<number | undefined>();
    const params = view.kind === 'table' ? view.params : { page: 1 };
    return (
      <>
        <Fetching />
        <Filters params={params} go={(next) => navigate(() => setView(next))} />
        {view.kind === 'table' ? (
          <Table params={view.params} open={setDetail} />
        ) : (
          STATES.map((state) => <Column key={state} state={state} open={setDetail} />)
        )}
        {detail !== undefined && (
          <Loading>
            <Detail id={detail} close={() => setDetail(undefined)} />
          </Loading>
        )}
      </>
    );
  }

  return () => (
    <Root>
      <App />
    </Root>
  );
}
