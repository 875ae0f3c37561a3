/** The page in React: markup and components, the same for all libraries; where the data come from is lent. */
import { memo, startTransition, Suspense, useState } from 'react';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { place, ran, rowId } from '../App.ts';
import type { App, Issue, ListParams, Page } from '../App.ts';

/** What a library gives. Undefined: not there yet. */
export interface Source {
  readonly Root: ComponentType<{ readonly children: ReactNode }>;
  useIssues(params: ListParams): readonly Issue[] | undefined;
  /** By title. */
  useSorted(params: ListParams): readonly Issue[] | undefined;
  useIssue(id: number): Issue | undefined;
  /** Default: a memoized component. */
  readonly Row?: ComponentType<RowProps>;
  /** Draws the rows of a list by itself. */
  readonly Rows?: ComponentType<RowsProps>;
}

export interface RowsProps {
  readonly list: string;
  readonly params: ListParams;
  readonly sorted: boolean;
}

export interface RowProps {
  readonly list: string;
  readonly issue: Issue;
}

export function RowBody({ list, issue }: RowProps): ReactElement {
  ran('Row');
  return (
    <li id={rowId(list, issue.id)} className={issue.state}>
      <b>#{issue.id}</b> <span className="title">{issue.title}</span> <i>{issue.state}</i>{' '}
      <em>{issue.user.login}</em> <small>{issue.comments}</small>
    </li>
  );
}

const Memoized = memo(RowBody);

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

function componentsOf(source: Source): ComponentType<{ page: Page | null }> {
  const Row = source.Row ?? Memoized;
  function Snapshots({ list, params, sorted }: RowsProps): ReactNode {
    ran('List');
    const issues = (sorted ? source.useSorted : source.useIssues)(params);
    return issues?.map((issue) => <Row key={issue.id} list={list} issue={issue} />);
  }
  const Rows = source.Rows ?? Snapshots;

  function Detail({ id }: { readonly id: number }): ReactNode {
    ran('Detail');
    const issue = source.useIssue(id);
    return issue && <Row list="detail" issue={issue} />;
  }

  function List(props: Partial<RowsProps> & Omit<RowsProps, 'sorted'>): ReactElement {
    return (
      <ul id={props.list}>
        <Rows sorted={false} {...props} />
      </ul>
    );
  }

  return function Screen({ page }) {
    if (page === null) return null;
    const { kind, milestone, detail } = page;
    return (
      <>
        <Search />
        {kind === 'three' && (
          <>
            <ul id="detail">
              <Detail id={detail} />
            </ul>
            <List list="pinned" params={{ milestone, pinned: true }} />
          </>
        )}
        <List list="open" params={{ milestone, state: 'open' }} sorted={kind === 'sorted'} />
        {kind === 'two' && <List list="closed" params={{ milestone, state: 'closed' }} />}
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
  const { Root } = source;
  const Screen = componentsOf(source);
  let root: ReturnType<typeof createRoot> | undefined;
  const show: App['show'] = (page) => {
    root ??= createRoot(place());
    const element = (
      <Root>
        <Suspense fallback={null}>
          <Screen page={page} />
        </Suspense>
      </Root>
    );
    if (suspends) startTransition(() => root?.render(element));
    else root.render(element);
  };
  return { name, show, ...verbs };
}
