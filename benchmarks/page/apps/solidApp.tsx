/** @jsxImportSource solid-js */
/** The page in Solid: markup and components, the same for all libraries; where the data come from is lent. */
import { createMemo, createSignal, For, Show } from 'solid-js';
import type { Accessor, JSX, ParentProps } from 'solid-js';
import { render } from 'solid-js/web';
import { cardOf, drawnOf, labelsOf, place, ran, rowId } from '../App.ts';
import type { App, Issue, ListParams, Page, User } from '../App.ts';

type Get<T> = Accessor<T>;

export interface Source {
  readonly Root: (props: ParentProps) => JSX.Element;
  readonly useIssues: (params: Get<ListParams>) => Get<readonly Issue[] | undefined>;
  readonly useSorted: (params: Get<ListParams>) => Get<readonly Issue[] | undefined>;
  readonly useIssue: (id: Get<number>) => Get<Issue | undefined>;
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

function UserCard(props: { readonly user: User }): JSX.Element {
  const card = createMemo(() => cardOf(props.user));
  return (
    <span class="user" style={{ color: card().colour }}>
      <u>{card().initials}</u> <em>{drawn(card().login)}</em> <span>{card().name}</span>{' '}
      <q>{card().bio}</q> <span>{card().followers}</span> <time>{card().since}</time>
    </span>
  );
}

function Row(props: RowProps): JSX.Element {
  ran('Row');
  return (
    <li id={rowId(props.list, props.issue.id)} class={props.issue.state}>
      <b>#{props.issue.id}</b> <span class="title">{drawn(props.issue.title)}</span>{' '}
      <UserCard user={props.issue.user} /> <i>{props.issue.state}</i>{' '}
      <small>{drawn(props.issue.comments)}</small> <span>{labelsOf(props.issue)}</span>{' '}
      <span>{props.issue.body}</span>
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
  readonly list: string;
  readonly params: ListParams;
  readonly limit: number | undefined;
}

function listOf(useRows: Source['useIssues']): (props: ListProps) => JSX.Element {
  return function List(props) {
    ran('List');
    const issues = useRows(() => props.params);
    return (
      <ul id={props.list}>
        <For each={drawnOf(issues() ?? [], props.limit)}>
          {(issue) => <Row list={props.list} issue={issue} />}
        </For>
      </ul>
    );
  };
}

function detailOf(useIssue: Source['useIssue']): (props: { readonly id: number }) => JSX.Element {
  return function Detail(props) {
    ran('Detail');
    const issue = useIssue(() => props.id);
    return (
      <ul id="detail">
        <Show when={issue()}>{(issue) => <Row list="detail" issue={issue()} />}</Show>
      </ul>
    );
  };
}

function screenOf(source: Source): (props: { readonly page: Page }) => JSX.Element {
  const List = listOf(source.useIssues);
  const Sorted = listOf(source.useSorted);
  const Detail = detailOf(source.useIssue);
  return function Screen(props) {
    const { kind, milestone, detail, limit } = props.page;
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

export function solidApp(name: string, source: Source, verbs: Omit<App, 'name' | 'show'>): App {
  const [page, setPage] = createSignal<Page | null>(null);
  const { Root } = source;
  const Screen = screenOf(source);
  let drawing = false;
  const draw = () => (
    <Root>
      <Show when={page()} keyed>
        {(page) => <Screen page={page} />}
      </Show>
    </Root>
  );
  const show: App['show'] = (next) => {
    if (!drawing) render(draw, place());
    drawing = true;
    setPage(next);
  };
  return { name, show, ...verbs };
}
