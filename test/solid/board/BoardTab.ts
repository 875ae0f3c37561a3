// A tab of the board example without a page: the reads of its components, and the clicks in it.
import { createComponent, createRoot, createSignal } from 'solid-js';
import type { Controller } from 'signalbox';
import { Provider, useDLE, useInfinite, useQuery } from 'signalbox/solid';
import {
  byRank,
  CommentResource,
  createStore,
  getIssue,
  IssueResource,
  ProjectResource,
  UserResource,
} from '../../../examples/board/api.ts';
import type { Filter, Issue } from '../../../examples/board/api.ts';
import { quietly, rankBefore, statuses, tags } from '../../../examples/board/words.ts';
import type { Click } from '../../browser/board/clicks.ts';
import type { Shown } from '../../browser/board/differences.ts';
import { TabProcess } from './SimulatedBrowser.ts';

const limit = 10;

type Reads = ReturnType<typeof createReads>;

/** The reads of the components. */
function createReads() {
  const [filter, setFilter] = createSignal<Filter>({ projectId: 1 });
  const [opened, open] = createSignal<number>();
  for (const { getList } of [ProjectResource, UserResource]) useDLE(getList);
  const columns = statuses.map((status) => {
    const search = () => ({ ...filter(), status });
    return { list: useDLE(IssueResource.getList, search), cards: useQuery(byRank, search) };
  });
  const all = useInfinite(IssueResource.getList.getPage, () => ({ sort: '-id', limit }), {
    getNextPageParams: (lastPage, allPages) =>
      lastPage.length < limit ? undefined : { page: allPages.length + 1 },
  });
  const issue = useDLE(getIssue, () => {
    const id = opened();
    return id === undefined ? null : { id };
  });
  return { filter, setFilter, opened, open, columns, all, issue };
}

export class BoardTab extends TabProcess {
  readonly #controller: Controller;
  #reads!: Reads;

  constructor() {
    super();
    let controller!: Controller;
    this.run(() => (controller = createStore()));
    this.#controller = controller;
    this.run(() => (this.#reads = this.#mount()));
  }

  #mount(): Reads {
    let reads!: Reads;
    createRoot((dispose) => {
      this.ends.add(dispose);
      const children = () => void (reads = createReads());
      createComponent(Provider, {
        controller: this.#controller,
        get children() {
          return children();
        },
      });
    });
    return reads;
  }

  get #cards(): readonly (readonly Issue[])[] {
    return this.#reads.columns.map(({ cards }) => cards() ?? []);
  }

  get #issue(): Issue | undefined {
    const { opened, issue } = this.#reads;
    return opened() === undefined || issue.deleted ? undefined : issue.data;
  }

  click(click: Click): void {
    this.run(() => this.#act(click));
  }

  #act({ verb, at, to }: Click): void {
    const { setFilter, open, all } = this.#reads;
    const acts: Partial<Record<Click['verb'], () => void>> = {
      create: () => this.#create(at),
      drag: () => this.#drag(at, to),
      filter: () => setFilter((filter) => toggle(filter, at)),
      project: () => setFilter((filter) => ({ ...filter, projectId: 1 + (to % 2) })),
      open: () => open(pick([...this.#cards.flat(), ...(all.data ?? [])], at)?.id),
      close: () => open(undefined),
      rename: () => this.#save({ title: `rename ${at}` }),
      assign: () => this.#save({ assigneeId: to % 4 || null }),
      tag: () => this.#save({ tags: toggled(this.#issue?.tags ?? [], tags[at % 3]!) }),
      delete: () => this.#ofIssue(({ id }) => this.#controller.fetch(IssueResource.delete, { id })),
      comment: () => this.#ofIssue(({ id }) => this.#comment(id, `comment ${at}`)),
      'delete comment': () => {
        const comment = pick(this.#issue?.comments ?? [], at);
        if (comment) quietly(this.#controller.fetch(CommentResource.delete, { id: comment.id }));
      },
      more: () => void all.fetchNextPage(),
    };
    acts[verb]?.();
  }

  #create(at: number): void {
    const { projectId, assigneeId: [assigneeId = null] = [], tags = [] } = this.#reads.filter();
    const column = at % statuses.length;
    const cards = this.#cards[column] ?? [];
    const fields = { projectId, assigneeId, tags, title: `create ${at}` };
    const place = { status: statuses[column]!, rank: rankBefore(cards, cards.length) };
    quietly(this.#controller.fetch(IssueResource.create, { ...fields, ...place }));
  }

  #drag(at: number, to: number): void {
    const card = pick(this.#cards.flat(), at);
    if (card === undefined) return;
    const column = to % statuses.length;
    const cards = this.#cards[column] ?? [];
    const place = {
      status: statuses[column]!,
      rank: rankBefore(cards, to % (cards.length + 1)),
    };
    quietly(this.#controller.fetch(IssueResource.partialUpdate, { id: card.id }, place));
  }

  #ofIssue(work: (issue: Issue) => Promise<unknown>): void {
    const issue = this.#issue;
    if (issue !== undefined) quietly(work(issue));
  }

  #save(change: Partial<Issue>): void {
    this.#ofIssue(({ id }) => this.#controller.fetch(IssueResource.partialUpdate, { id }, change));
  }

  #comment(issueId: number, text: string): Promise<unknown> {
    return this.#controller.fetch(CommentResource.create, { issueId, authorId: 1, text });
  }

  /** The content of the page. */
  look(): Shown {
    let shown!: Shown;
    this.run(() => (shown = this.#content));
    return shown;
  }

  get #content(): Shown {
    const { filter, columns, all, issue, opened } = this.#reads;
    const { projectId, assigneeId = [], tags = [] } = filter();
    const reads = [...columns.map(({ list }) => list), all];
    const id = opened();
    return {
      search: { projectId: [`${projectId}`], assigneeId: assigneeId.map(String), tags },
      columns: Object.fromEntries(
        this.#cards.map((cards, at) => [statuses[at], cards.map(cardOf)] as const),
      ),
      all: (all.data ?? []).map((row) => ({
        id: row.id,
        title: row.title,
        status: row.status,
        project: row.project?.name ?? '',
        assignee: row.assignee?.name ?? '',
      })),
      hasMore: all.hasNextPage,
      issue: id === undefined ? undefined : { id: issue.data?.id ?? id, text: this.#text },
      failures: reads.flatMap(({ error }) => error?.message ?? []),
    };
  }

  get #text(): unknown {
    const issue = this.#issue;
    if (issue === undefined) return 'This issue does not exist.';
    const { title, assigneeId, tags, comments } = issue;
    return {
      title,
      assigneeId: String(assigneeId ?? ''),
      tags: [...tags].sort(),
      comments: comments.map(({ id, author, text }) => ({ id, author: author?.name ?? '', text })),
    };
  }
}

const cardOf = ({ id, title, assignee, tags }: Issue) => ({
  id,
  title,
  assignee: assignee?.name ?? '',
  tags: [...tags],
});

function pick<T>(all: readonly T[], at: number): T | undefined {
  return all[at % all.length];
}

function toggled<T>(all: readonly T[], one: T): readonly T[] {
  return all.includes(one) ? all.filter((other) => other !== one) : [...all, one];
}

/** The filter after a click on one of its boxes: three users, three tags. */
function toggle({ projectId, assigneeId = [], tags: chosen = [] }: Filter, at: number): Filter {
  const box = at % 6;
  const users = box < 3 ? toggled(assigneeId, box + 1) : assigneeId;
  const names = box < 3 ? chosen : toggled(chosen, tags[box - 3]!);
  return {
    projectId,
    ...(users.length > 0 && { assigneeId: [...users].sort((one, other) => one - other) }),
    ...(names.length > 0 && { tags: names }),
  };
}
