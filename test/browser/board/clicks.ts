// Random clicks on the board: each names an action, and numbers that choose the elements.
import * as fc from 'fast-check';
import type { Page } from 'playwright';
import type { Board } from '../../../examples/board/server/Board.ts';

const inPage = {
  create: 6,
  drag: 10,
  filter: 3,
  project: 1,
  open: 5,
  close: 1,
  rename: 4,
  assign: 4,
  tag: 4,
  delete: 2,
  comment: 3,
  'delete comment': 1,
  more: 2,
};
const elsewhere = { insert: 2, change: 4, remove: 1, 'comment there': 2, 'drop streams': 1 };
const others = { wait: 10, reload: 1, look: 6 };

type PageVerb = keyof typeof inPage;
type ServerVerb = keyof typeof elsewhere;

export interface Click {
  readonly tab: 0 | 1;
  readonly verb: PageVerb | ServerVerb | keyof typeof others;
  readonly at: number;
  readonly to: number;
}

const verbs = Object.entries({ ...inPage, ...elsewhere, ...others });

export const click: fc.Arbitrary<Click> = fc.record({
  tab: fc.constantFrom(0, 1),
  verb: fc.oneof(
    ...verbs.map(([verb, weight]) => ({ weight, arbitrary: fc.constant(verb as Click['verb']) })),
  ),
  at: fc.noBias(fc.nat(999)),
  to: fc.noBias(fc.nat(999)),
});

export const isInPage = ({ verb }: Click): boolean => verb in inPage;

/** One click, on an element that is there: where there is none, nothing happens. */
export function clickIn(page: Page, { verb, at, to }: Click): Promise<void> {
  return page.evaluate(actInPage, { verb: verb as PageVerb, at, to });
}

interface Act {
  readonly verb: PageVerb;
  readonly at: number;
  readonly to: number;
}

/** Runs in the page. */
function actInPage({ verb, at, to }: Act): void {
  const pick = <E extends HTMLElement>(selector: string, number = at): E | undefined => {
    const all = document.querySelectorAll<E>(selector);
    return all[number % all.length];
  };
  const write = (selector: string): void => {
    const form = pick<HTMLFormElement>(selector);
    if (form === undefined) return;
    form.querySelector('input')!.value = `${verb} ${at}`;
    form.requestSubmit();
  };
  const choose = (selector: string): void => {
    const select = pick<HTMLSelectElement>(selector);
    if (select === undefined) return;
    select.selectedIndex = to % select.options.length;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const drag = (): void => {
    const target = pick('.column, .card', to);
    const dataTransfer = new DataTransfer();
    const fire = (type: string, element: HTMLElement | undefined) =>
      element?.dispatchEvent(
        new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }),
      );
    if (fire('dragstart', pick('.card')) === undefined) return;
    fire('dragover', target);
    fire('drop', target);
  };
  const acts: Record<PageVerb, () => void> = {
    create: () => write('.column form'),
    drag,
    filter: () => pick('.filters input')?.click(),
    project: () => choose('.filters select'),
    open: () => pick('.title')?.click(),
    close: () => pick('.close')?.click(),
    rename: () => write('aside h2 + form'),
    assign: () => choose('aside select'),
    tag: () => pick('aside label input')?.click(),
    delete: () => pick('aside > .delete')?.click(),
    comment: () => write('aside .comments + form'),
    'delete comment': () => pick('.comments .delete')?.click(),
    more: () => pick('.more')?.click(),
  };
  acts[verb]();
}

/** An act of another user, or of the network. */
export function actElsewhere(board: Board, { verb, at, to }: Click, dropStreams: () => void): void {
  const all = board.list('issues', new URLSearchParams());
  const id = all[at % Math.max(1, all.length)]?.id ?? 0;
  const status = ['todo', 'doing', 'done'][to % 3];
  const changes = [
    { status, rank: to / 10 },
    { assigneeId: to % 4 || null },
    { tags: ['bug', 'docs'].slice(to % 3) },
    { title: `theirs ${to}` },
    { projectId: 1 + (to % 2) },
  ];
  const acts: Record<ServerVerb, () => void> = {
    insert: () =>
      board.create('issues', {
        projectId: 1 + (at % 2),
        title: `new ${at}`,
        status,
        rank: to / 10,
        assigneeId: at % 4 || null,
        tags: ['idea'],
      }),
    change: () => board.update('issues', id, changes[to % changes.length] ?? {}),
    remove: () => board.delete('issues', id),
    'comment there': () =>
      board.create('comments', { issueId: id, authorId: 2, text: `theirs ${at}` }),
    'drop streams': dropStreams,
  };
  acts[verb as ServerVerb]();
}
