/** @jsxImportSource solid-js */
/** The page in Solid: markup and components, the same for all libraries; where the data come from is lent. */
import { createSignal, For, Show } from 'solid-js';
import type { Accessor, JSX, ParentProps } from 'solid-js';
import { render } from 'solid-js/web';
import { place, ran, rowId } from '../App.ts';
import type { App, Issue, ListParams, Page } from '../App.ts';

type Get<T> = Accessor<T>;

export interface Source {
  Root(props: ParentProps): JSX.Element;
  useIssues(params: Get<ListParams>): Get<readonly Issue[] | undefined>;
  useSorted(params: Get<ListParams>): Get<readonly Issue[] | undefined>;
  useIssue(id: Get<number>): Get<Issue | undefined>;
}

interface RowProps {
  readonly list: string;
  readonly issue: Issue;
}

/** Counted is a text that is drawn, not only a row. */
function drawn<T>(value: T): T {
  ran('text');
  return value;
}

function Row(props: RowProps): JSX.Element {
  ran('Row');
  return (
    <li id={rowId(props.list, props.issue.id)} class={props.issue.state}>
      <b>#{props.issue.id}</b> <span class="title">{drawn(props.issue.title)}</span>{' '}
      <i>{props.issue.state}</i> <em>{drawn(props.issue.user.login)}</em>{' '}
      <small>{drawn(props.issue.comments)}</small>
    </li>
  );
}

function Search(): JSX.Element {
  const [text, setText] = createSignal('');
  return (
    <p>
      <input id="search" value={text()} onInput={(event) => setText(event.currentTarget.value)} />
      <output>{text()}</output>
    </p>
  );
}

interface ListProps {
  readonly source: Source;
  readonly list: string;
  readonly params: ListParams;
  readonly sorted?: boolean;
}

function List(props: ListProps): JSX.Element {
  ran('List');
  const { source, sorted = false } = props;
  const issues = (sorted ? source.useSorted : source.useIssues)(() => props.params);
  return (
    <ul id={props.list}>
      <For each={issues()}>{(issue) => <Row list={props.list} issue={issue} />}</For>
    </ul>
  );
}

function Detail(props: { readonly source: Source; readonly id: number }): JSX.Element {
  ran('Detail');
  const issue = props.source.useIssue(() => props.id);
  return (
    <ul id="detail">
      <Show when={issue()}>{(issue) => <Row list="detail" issue={issue()} />}</Show>
    </ul>
  );
}

function Screen(props: { readonly source: Source; readonly page: Page }): JSX.Element {
  const { source, page } = props;
  const { kind, milestone, detail } = page;
  const list = (list: string, params: ListParams, sorted = false) => (
    <List source={source} list={list} params={params} sorted={sorted} />
  );
  return (
    <>
      <Search />
      {kind === 'three' && <Detail source={source} id={detail} />}
      {kind === 'three' && list('pinned', { milestone, pinned: true })}
      {list('open', { milestone, state: 'open' }, kind === 'sorted')}
      {kind === 'two' && list('closed', { milestone, state: 'closed' })}
    </>
  );
}

export function solidApp(name: string, source: Source, verbs: Omit<App, 'name' | 'show'>): App {
  const [page, setPage] = createSignal<Page | null>(null);
  let drawing = false;
  const draw = () => (
    <source.Root>
      <Show when={page()} keyed>
        {(page) => <Screen source={source} page={page} />}
      </Show>
    </source.Root>
  );
  const show: App['show'] = (next) => {
    if (!drawing) render(draw, place());
    drawing = true;
    setPage(next);
  };
  return { name, show, ...verbs };
}
