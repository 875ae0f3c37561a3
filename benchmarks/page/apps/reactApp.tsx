/** The page in React: markup and components, the same for all libraries; where the data come from is lent. */
import { memo, startTransition, Suspense, useState } from 'react';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { cardOf, drawnOf, labelsOf, place, ran, rowId } from '../App.ts';
import type { App, Issue, ListParams, Page, User } from '../App.ts';

/** What a library gives. Undefined: not there yet. */
export interface Source {
  readonly Root: ComponentType<{ readonly children: ReactNode }>;
  /** Around what suspends. Default: React's own. */
  readonly Boundary?: ComponentType<{ readonly fallback: ReactNode; readonly children: ReactNode }>;
  readonly useIssues: UseRows;
  /** By title. */
  readonly useSorted: UseRows;
  readonly useIssue: (id: number) => Issue | undefined;
  /** Default: a memoized component. */
  readonly Row?: ComponentType<RowProps>;
  /** Default: all rows, from snapshots. */
  readonly Rows?: ComponentType<RowsProps>;
  readonly Sorted?: ComponentType<RowsProps>;
}

type UseRows = (params: ListParams) => readonly Issue[] | undefined;

export interface RowsProps {
  readonly list: string;
  readonly params: ListParams;
  readonly limit: number | undefined;
}

export interface RowProps {
  readonly list: string;
  readonly issue: Issue;
  /** Default: a memoized component. */
  readonly UserCard?: ComponentType<CardProps>;
}

export interface CardProps {
  readonly user: User;
}

export function cardBody({ user }: CardProps): ReactElement {
  ran('Card');
  const { colour, initials, login, name, bio, followers, since } = cardOf(user);
  return (
    <span className="user" style={{ color: colour }}>
      <u>{initials}</u> <em>{login}</em> <span>{name}</span> <q>{bio}</q> <span>{followers}</span>{' '}
      <time>{since}</time>
    </span>
  );
}

const MemoizedCard = memo(function UserCard(props: CardProps): ReactElement {
  return cardBody(props);
});

export function rowBody({ list, issue, UserCard = MemoizedCard }: RowProps): ReactElement {
  ran('Row');
  return (
    <li id={rowId(list, issue.id)} className={issue.state}>
      <b>#{issue.id}</b> <span className="title">{issue.title}</span> <UserCard user={issue.user} />{' '}
      <i>{issue.state}</i> <small>{issue.comments}</small> <span>{labelsOf(issue)}</span>{' '}
      <span>{issue.body}</span>
    </li>
  );
}

const Memoized = memo(function Row(props: RowProps): ReactElement {
  return rowBody(props);
});

function Search(): ReactElement {
  const [text, setText] = useState('');
  return (
    <p>
      <input id="search" value={text} onChange={(event) => setText(event.target.value)} />
      <output>{text}</output>
    </p>
  );
}

/** By title, for who has no better way. */
export function byTitle(issues: readonly Issue[]): readonly Issue[] {
  return [...issues].sort((a, b) => (a.title < b.title ? -1 : 1));
}

function rowsOf(useRows: UseRows, Row: ComponentType<RowProps>): ComponentType<RowsProps> {
  return function Rows({ list, params, limit }) {
    ran('List');
    const issues = drawnOf(useRows(params) ?? [], limit);
    return issues.map((issue) => <Row key={issue.id} list={list} issue={issue} />);
  };
}

function List({ Rows, ...props }: RowsProps & { Rows: ComponentType<RowsProps> }): ReactElement {
  return (
    <ul id={props.list}>
      <Rows {...props} />
    </ul>
  );
}

function componentsOf(source: Source): ComponentType<{ page: Page | null }> {
  const { Row = Memoized } = source;
  const { Rows = rowsOf(source.useIssues, Row), Sorted = rowsOf(source.useSorted, Row) } = source;

  function Detail({ id }: { readonly id: number }): ReactNode {
    ran('Detail');
    const issue = source.useIssue(id);
    return issue && <Row list="detail" issue={issue} />;
  }

  return function Screen({ page }) {
    if (page === null) return null;
    const { kind, milestone, detail, limit } = page;
    const Open = kind === 'sorted' ? Sorted : Rows;
    return (
      <>
        <Search />
        {kind === 'three' && (
          <>
            <ul id="detail">
              <Detail id={detail} />
            </ul>
            <List Rows={Rows} list="pinned" params={{ milestone, pinned: true }} limit={limit} />
          </>
        )}
        <List Rows={Open} list="open" params={{ milestone, state: 'open' }} limit={limit} />
        {kind === 'two' && (
          <List Rows={Rows} list="closed" params={{ milestone, state: 'closed' }} limit={limit} />
        )}
      </>
    );
  };
}

/** `suspends`: pages are turned in a transition, as routers do, so that no fallback is ever shown. */
export function reactApp(
  name: string,
  source: Source,
  verbs: Omit<App, 'name' | 'show'>,
  suspends = false,
): App {
  const { Root, Boundary = Suspense } = source;
  const Screen = componentsOf(source);
  let root: ReturnType<typeof createRoot> | undefined;
  const show: App['show'] = (page) => {
    root ??= createRoot(place());
    const element = (
      <Root>
        <Boundary fallback={null}>
          <Screen page={page} />
        </Boundary>
      </Root>
    );
    if (suspends) startTransition(() => root?.render(element));
    else root.render(element);
  };
  return { name, show, ...verbs };
}
