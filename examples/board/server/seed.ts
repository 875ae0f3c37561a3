/** A board to begin with: two projects, thirty issues, a comment on every third. */
import { statuses, tags } from '../words.ts';
import type { Board } from './Board.ts';

const titles = ['Login fails', 'Dark mode', 'Faster start', 'Printing', 'A better logo', 'Search'];

export function seed(board: Board): void {
  for (let at = 0; at < 30; at++) {
    const { id } = board.create('issues', {
      projectId: 1 + (at % 2),
      title: `${titles[at % titles.length]} ${at + 1}`,
      status: statuses[at % 3],
      rank: at + 1,
      assigneeId: at % 4 || null,
      tags: tags.filter((_, bit) => at & (1 << bit)),
    });
    if (at % 3 === 0) board.create('comments', { issueId: id, authorId: 1, text: 'I agree.' });
  }
}
