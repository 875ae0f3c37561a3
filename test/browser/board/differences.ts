// Compares a tab of the board with the rows of the server.
import type { Page } from 'playwright';
import type { Board, Row } from '../../../examples/board/server/Board.ts';

const PAGE = 10;

/** The content of a tab. */
export interface Shown {
  readonly search: Readonly<Record<'projectId' | 'assigneeId' | 'tags', readonly string[]>>;
  readonly columns: Readonly<Record<string, readonly unknown[]>>;
  readonly all: readonly unknown[];
  readonly hasMore: boolean;
  readonly issue: { readonly id: number; readonly text: unknown } | undefined;
  readonly failures: readonly string[];
}

/** Each part of the page that differs from the server. */
export async function differencesIn(page: Page, board: Board): Promise<object[]> {
  return differencesOf(await page.evaluate(lookAtPage), board);
}

export function differencesOf(shown: Shown, board: Board): object[] {
  const parts: [name: string, shown: unknown, expected: unknown][] = [
    ['failures', shown.failures, []],
    ...Object.entries(shown.columns).map(
      ([status, cards]) =>
        [status, cards, columnOf(board, { ...shown.search, status: [status] })] as [
          string,
          unknown,
          unknown,
        ],
    ),
    ['all', { rows: shown.all, hasMore: shown.hasMore }, allOf(board, shown)],
    ['issue', shown.issue, shown.issue && issueOf(board, shown.issue.id)],
  ];
  return parts
    .filter(([, one, other]) => JSON.stringify(one) !== JSON.stringify(other))
    .map(([name, shown, expected]) => ({ name, shown, expected }));
}

const nameOf = (board: Board, table: 'users' | 'projects', id: unknown): string =>
  String(board.get(table, Number(id))?.['name'] ?? '');

function columnOf(board: Board, search: Readonly<Record<string, readonly string[]>>): unknown[] {
  const params = Object.entries(search).flatMap(([name, values]) =>
    values.map((value) => [name, value]),
  );
  return board.list('issues', new URLSearchParams(params)).map((issue) => ({
    id: issue.id,
    title: issue['title'],
    assignee: nameOf(board, 'users', issue['assigneeId']),
    tags: issue['tags'],
  }));
}

/** The number of pages is that of the page: whole pages, and the rest where there is no more. */
function allOf(board: Board, { all, hasMore }: Shown): object {
  const rows = board.list('issues', new URLSearchParams({ sort: '-id' }));
  const pages = Math.max(1, hasMore ? Math.round(all.length / PAGE) : Infinity);
  const loaded = rows.slice(0, pages * PAGE);
  return {
    rows: loaded.map((issue) => ({
      id: issue.id,
      title: issue['title'],
      status: issue['status'],
      project: nameOf(board, 'projects', issue['projectId']),
      assignee: nameOf(board, 'users', issue['assigneeId']),
    })),
    hasMore,
  };
}

function issueOf(board: Board, id: number): object {
  const issue = board.get('issues', id);
  if (issue === undefined) return { id, text: 'This issue does not exist.' };
  const comments = board.list('comments', new URLSearchParams({ issueId: String(id) }));
  const textOf = ({ id, authorId, text }: Row) => ({
    id,
    author: nameOf(board, 'users', authorId),
    text,
  });
  const { title, assigneeId, tags } = issue;
  return {
    id,
    text: {
      title,
      assigneeId: String(assigneeId ?? ''),
      tags: [...(tags as string[])].sort(),
      comments: comments.map(textOf),
    },
  };
}

/** Runs in the page. */
function lookAtPage(): Shown {
  const all = <T>(selector: string, read: (element: HTMLElement) => T, within: ParentNode) =>
    [...within.querySelectorAll<HTMLElement>(selector)].map(read);
  const text = (selector: string, within: ParentNode) =>
    within.querySelector(selector)?.textContent ?? '';
  const checked = (name: string, within: ParentNode = document) =>
    all(`input[name=${name}]:checked`, (input) => (input as HTMLInputElement).value, within);
  const idOf = (element: HTMLElement) => Number(element.dataset['id']);
  const select = (selector: string) => document.querySelector<HTMLSelectElement>(selector)!.value;
  const issue = document.querySelector<HTMLElement>('aside');
  const columns = all(
    '.column',
    (column) =>
      [
        column.getAttribute('aria-label')!,
        all(
          '.card',
          (card) => ({
            id: idOf(card),
            title: text('.title', card),
            assignee: text('.assignee', card),
            tags: all('.tag', (tag) => tag.textContent, card),
          }),
          column,
        ),
      ] as const,
    document,
  );
  const textOfIssue = (aside: HTMLElement) =>
    aside.querySelector('h2') === null
      ? text('p', aside)
      : {
          title: text('h2', aside),
          assigneeId: select('aside select'),
          tags: all('label input:checked', (tag) => (tag as HTMLInputElement).name, aside).sort(),
          comments: all(
            '.comments li',
            (comment) => ({
              id: idOf(comment),
              author: text('b', comment),
              text: text('.text', comment),
            }),
            aside,
          ),
        };
  return {
    search: {
      projectId: [select('.filters select')],
      assigneeId: checked('assigneeId'),
      tags: checked('tags'),
    },
    columns: Object.fromEntries(columns),
    all: all(
      '.all li',
      (row) => ({
        id: idOf(row),
        title: text('.title', row),
        status: text('.status', row),
        project: text('.project', row),
        assignee: text('.assignee', row),
      }),
      document,
    ),
    hasMore: document.querySelector('.more') !== null,
    issue: issue === null ? undefined : { id: idOf(issue), text: textOfIssue(issue) },
    failures: all('.failed', (failed) => failed.textContent, document),
  };
}
