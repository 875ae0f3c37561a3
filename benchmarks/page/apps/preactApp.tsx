/** @jsxImportSource preact */
/** The page in Preact: markup and components, the same for all libraries; where the data come from is lent. */
import { render } from 'preact';
import type { ComponentChildren, ComponentType, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { cardOf, drawnOf, labelsOf, place, ran, rowId } from '../App.ts';
import type { App, Issue, ListParams, Page, User } from '../App.ts';

export interface Source {
  readonly Root: ComponentType<{ readonly children: ComponentChildren }>;
  readonly useIssues: (params: ListParams) => readonly Issue[] | undefined;
  readonly useSorted: (params: ListParams) => readonly Issue[] | undefined;
  readonly useIssue: (id: number) => Issue | undefined;
}

interface RowProps {
  readonly list: string;
  readonly issue: Issue;
}

function UserCard({ user }: { readonly user: User }): VNode {
  ran('Card');
  const { colour, initials, login, name, bio, followers, since } = cardOf(user);
  return (
    <span class="user" style={{ color: colour }}>
      <u>{initials}</u> <em>{login}</em> <span>{name}</span> <q>{bio}</q> <span>{followers}</span>{' '}
      <time>{since}</time>
    </span>
  );
}

function Row({ list, issue }: RowProps): VNode {
  ran('Row');
  return (
    <li id={rowId(list, issue.id)} class={issue.state}>
      <b>#{issue.id}</b> <span class="title">{issue.title}</span> <UserCard user={issue.user} />{' '}
      <i>{issue.state}</i> <small>{issue.comments}</small> <span>{labelsOf(issue)}</span>{' '}
      <span>{issue.body}</span>
    </li>
  );
}

function Search(): VNode {
  const [text, setText] = useState('');
  return (
    <p>
      <input id="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <output>{text}</output>
    </p>
  );
}

interface ListProps {
  readonly list: string;
  readonly params: ListParams;
  readonly limit: number | undefined;
}

function listOf(useRows: Source['useIssues']): ComponentType<ListProps> {
  return function List({ list, params, limit }) {
    ran('List');
    const issues = drawnOf(useRows(params) ?? [], limit);
    return (
      <ul id={list}>
        {issues.map((issue) => (
          <Row key={issue.id} list={list} issue={issue} />
        ))}
      </ul>
    );
  };
}

function componentsOf(source: Source): ComponentType<{ page: Page | null }> {
  const List = listOf(source.useIssues);
  const Sorted = listOf(source.useSorted);

  function Detail({ id }: { readonly id: number }): VNode {
    ran('Detail');
    const issue = source.useIssue(id);
    return <ul id="detail">{issue && <Row list="detail" issue={issue} />}</ul>;
  }

  return function Screen({ page }) {
    if (page === null) return null;
    const { kind, milestone, detail, limit } = page;
    const Open = kind === 'sorted' ? Sorted : List;
    return (
      <>
        <Search />
        {kind === 'three' && <Detail id={detail} />}
        {kind === 'three' && (
          <List list="pinned" params={{ milestone, pinned: true }} limit={limit} />
        )}
        <Open list="open" params={{ milestone, state: 'open' }} limit={limit} />
        {kind === 'two' && (
          <List list="closed" params={{ milestone, state: 'closed' }} limit={limit} />
        )}
      </>
    );
  };
}

export function preactApp(name: string, source: Source, verbs: Omit<App, 'name' | 'show'>): App {
  const { Root } = source;
  const Screen = componentsOf(source);
  const show: App['show'] = (page) =>
    render(
      <Root>
        <Screen page={page} />
      </Root>,
      place(),
    );
  return { name, show, ...verbs };
}
