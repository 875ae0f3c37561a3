/** The smallest random programs that once broke a law. */
import { expect, test } from 'vitest';
import { play } from './program.ts';
import type { Step } from './program.ts';

const programs: readonly (readonly [string, readonly Step[]])[] = [
  [
    '[N20] an empty response to a mutation without a body refetches the searches that may show the row',
    [
      ['mount', 'search'],
      ['bump', 2, 'plain'],
      ['createAs', 1, 'x', 'plain'],
      ['update', 2, 'a', 'plain'],
      ['answer', 15, 'answer'],
      ['answer', 0, 'answer'],
      ['answer', 0, 'empty'],
    ],
  ],
  [
    '[O15] of three own edits whose responses cross, none is taken for a read, and no list is refetched',
    [
      ['set', 1, 'a'],
      ['bump', 2, 'plain'],
      ['set', 1, 'a'],
      ['bump', 2, 'plain'],
      ['mount', 'new'],
      ['set', 1, 'kind'],
      ['update', 2, 'a', 'plain'],
      ['answer', 4],
      ['answer', 1],
      ['answer', 2],
    ],
  ],
  [
    '[O15] a push of a row that an own deletion has removed since contests no response, and no list is refetched',
    [
      ['bump', 2, 'plain'],
      ['remove', 2, 'plain'],
      ['set', 2, 'a'],
      ['mount', 'all'],
      ['answer', 1],
      ['answer', 0],
    ],
  ],
  [
    '[N21] a row that a response brings back stands behind the rows that entered the list meanwhile',
    [
      ['update', 1, 'b', 'optimistic'],
      ['update', 2, 'kind', 'optimistic'],
      ['mount', 'tagged'],
      ['answer', 14, 'partial'],
      ['mount', 'xz'],
      ['answer', 19, 'answer'],
      ['answer', 7, 'answer'],
      ['create', 'y', 'optimistic', 'rows'],
      ['readList', 'all'],
      ['create', 'y', 'plain', 'rows'],
      ['readScore'],
      ['createAs', 5, 'x', 'plain'],
      ['set', 4, 'kind'],
      ['answer', 2, 'fail'],
      ['answer', 13, 'abort'],
      ['set', 2, 'kind'],
      ['mount', 1],
      ['readList', 'x'],
      ['bump', 2, 'optimistic'],
      ['answer', 3],
      ['answer', 7],
    ],
  ],
  [
    '[N18] a list that an optimistic creation never entered is not refetched for it, whatever was pushed before',
    [
      ['mount', 'newY'],
      ['createAs', 6, 'x', 'optimistic'],
      ['set', 6, 'tags'],
    ],
  ],
  [
    '[O4] an older list read leaves rows where they stand',
    [
      ['readList', 'all'],
      ['answer', 0],
      ['readList', 'all'],
      ['create', 'x', 'optimistic'],
      ['create', 'x', 'plain'],
      ['answer', 2],
      ['answer', 1],
    ],
  ],
  [
    '[O3] a row created after its deletion was asked for is there when it is confirmed',
    [
      ['remove', 2, 'optimistic'],
      ['createAs', 2, 'y', 'optimistic'],
      ['answer', 1],
    ],
  ],
  [
    '[O3] a row stays away whose last deletion was issued after its creation',
    [
      ['remove', 2, 'optimistic'],
      ['createAs', 2, 'y', 'optimistic'],
      ['remove', 2, 'optimistic'],
      ['answer', 20, 'empty'],
    ],
  ],
  [
    '[N15] a row that is expected to be deleted and made anew goes to the end',
    [
      ['readList', 'all'],
      ['answer', 0],
      ['remove', 1, 'optimistic'],
      ['createAs', 1, 'y', 'optimistic'],
    ],
  ],
  [
    '[O5] a row that is expected to be made anew leaves lists that it no longer matches, without waking them twice',
    [
      ['readList', 'x'],
      ['answer', 0],
      ['remove', 2, 'optimistic'],
      ['createAs', 2, 'y', 'optimistic, refused'],
    ],
  ],
  [
    '[O5] a push brings a deleted row back, with what is still expected of it',
    [
      ['update', 2, 'a', 'optimistic'],
      ['remove', 2, 'plain'],
      ['answer', 1],
      ['set', 2, 'b'],
    ],
  ],
  [
    '[O3] a creation that a later deletion outran enters no list, also when a push brings the row back',
    [
      ['create', 'y', 'plain'],
      ['createAs', 4, 'x', 'plain'],
      ['readList', 'all'],
      ['remove', 4, 'plain'],
      ['answer', 3],
      ['set', 4, 'n'],
    ],
  ],
  [
    '[O3] an own write that a later one outran stays so when the row was deleted and came back',
    [
      ['update', 2, 'a', 'plain'],
      ['update', 2, 'a', 'plain'],
      ['remove', 2, 'plain'],
      ['answer', 1],
      ['answer', 1],
      ['set', 2, 'a'],
    ],
  ],
  [
    '[O5] a row that is expected to be deleted, and then to change, is in no list',
    [
      ['createAs', 5, 'y', 'plain'],
      ['readList', 'all'],
      ['answer', 1],
      ['remove', 5, 'optimistic, refused'],
      ['createAs', 5, 'y', 'optimistic'],
      ['update', 5, 'a', 'optimistic'],
      ['remove', 2, 'optimistic'],
      ['answer', 2, 'fail'],
    ],
  ],
  [
    '[O3] a row that comes again keeps its key, whatever own writes outran',
    [
      ['createAs', 4, 'x', 'plain'],
      ['answer', 1],
      ['create', 'x', 'optimistic'],
      ['remove', 4, 'optimistic'],
      ['createAs', 4, 'y', 'optimistic'],
      ['bump', 4, 'optimistic'],
      ['answer', 0],
      ['answer', 2],
    ],
  ],
  [
    '[O5] a row that was only hidden is where it was',
    [
      ['readList', 'x'],
      ['createAs', 2, 'x', 'optimistic'],
      ['remove', 2, 'optimistic, refused'],
    ],
  ],
  [
    '[V2] a row that enters a list which a layer takes it out of wakes no reader of it',
    [
      ['readList', 'x'],
      ['createAs', 4, 'x', 'plain'],
      ['remove', 4, 'optimistic'],
      ['createAs', 4, 'y', 'optimistic, refused'],
    ],
  ],
  [
    '[O5] rows that are expected twice stand where the last creation puts them',
    [
      ['readList', 'all'],
      ['createAs', 5, 'y', 'optimistic'],
      ['createAs', 4, 'y', 'optimistic, refused'],
      ['remove', 5, 'optimistic, refused'],
      ['createAs', 5, 'x', 'optimistic'],
    ],
  ],
  [
    '[O4] a row made anew that an older read does not list stands in the turn of its creation',
    [
      ['readList', 'x'],
      ['answer', 17, 'answer'],
      ['remove', 2, 'optimistic'],
      ['create', 'x', 'optimistic, refused'],
      ['createAs', 4, 'x', 'optimistic'],
      ['readList', 'x'],
      ['createAs', 2, 'x', 'optimistic'],
      ['answer', 4],
      ['answer', 3],
    ],
  ],
  [
    '[O6] what is expected of a row without a name goes to the row that turns out to be it',
    [
      ['create', 'x', 'optimistic'],
      ['updateNew', 'a', 'optimistic'],
      ['answer', 0],
    ],
  ],
  [
    '[O6] a row that is to be deleted once it has its name is seen by nobody meanwhile',
    [
      ['create', 'x', 'optimistic'],
      ['removeNew', 'optimistic'],
      ['answer', 0],
    ],
  ],
  [
    '[O6] what is expected of a row that was deleted has the key that the server gave it',
    [
      ['create', 'x', 'optimistic'],
      ['removeNew', 'plain'],
      ['updateNew', 'b', 'optimistic'],
    ],
  ],
  [
    '[O6] what is expected of a row without a name goes to a row that is deleted, too',
    [
      ['create', 'x', 'optimistic'],
      ['remove', 7, 'optimistic'],
      ['updateNew', 'b', 'optimistic, refused'],
      ['answer', 1],
    ],
  ],
  [
    '[O6] a row whose deletion waited for its name is in no list, also where a later change shows it',
    [
      ['create', 'x', 'optimistic'],
      ['removeNew', 'optimistic'],
      ['readList', 'x'],
      ['update', 7, 'b', 'optimistic, refused'],
    ],
  ],
  [
    '[O3] a row made anew leaves lists that an earlier layer put it into',
    [
      ['bump', 3, 'optimistic, refused'],
      ['createAs', 4, 'x', 'optimistic'],
      ['remove', 4, 'optimistic'],
      ['readRow', 2, true],
      ['createAs', 4, 'y', 'plain'],
      ['readList', 'x'],
      ['answer', 5],
      ['answer', 4],
    ],
  ],
  [
    '[N19] a post that was named twice has its last name, also where the first naming is answered last',
    [
      ['readPosts'],
      ['answer', 0],
      ['changePost', 0, 'slug', false],
      ['readPosts'],
      ['answer', 1],
      ['changePost', 2, 'slug', false],
      ['answer', 1],
    ],
  ],
  [
    '[O11] a count that was asked for before an increment is no longer joined after it',
    [['more', false], ['readCount'], ['readList', 'all'], ['answer', 15], ['readCount']],
  ],
  [
    '[C10] a detail that shows a deleted row loses a change that is refused afterwards',
    [
      ['mount', 2],
      ['update', 2, 'a', 'optimistic, refused'],
      ['remove', 2, 'plain'],
      ['answer', 3],
      ['answer', 1],
    ],
  ],
  [
    '[C10] a detail that shows a deleted row keeps a change that was confirmed after the deletion, when another is refused',
    [
      ['mount', 2],
      ['update', 2, 'a', 'optimistic, refused'],
      ['bump', 2, 'optimistic'],
      ['remove', 2, 'plain'],
      ['answer', 0],
      ['answer', 2],
      ['answer', 1],
    ],
  ],
  [
    '[C10] a detail that shows a row deleted under its temporary name keeps what it showed last',
    [
      ['mount', 1],
      ['create', 'x', 'optimistic', 'rows'],
      ['answer', 20, 'answer'],
      ['removeNew', 'optimistic'],
      ['readRow', 7, true],
      ['mount', 7],
      ['answer', 15, 'empty'],
    ],
  ],
  [
    '[N18] a list at another address that holds a row which is made anew is asked for',
    [
      ['mount', 'new'],
      ['answer', 4, 'answer'],
      ['remove', 2, 'optimistic'],
      ['createAs', 2, 'y', 'optimistic'],
      ['answer', 11, 'answer'],
    ],
  ],
  [
    '[C10] of two deletions under way the later fails: the detail shows what was answered since the earlier',
    [
      ['update', 2, 'n', 'optimistic, refused'],
      ['remove', 2, 'optimistic, refused'],
      ['mount', 2],
      ['answer', 2, 'answer'],
      ['createAs', 2, 'x', 'optimistic'],
      ['remove', 2, 'optimistic, refused'],
      ['answer', 2, 'abort'],
      ['answer', 2],
    ],
  ],
  [
    '[O5] a field that a push wrote below an expected deletion shows again when that fails',
    [
      ['mount', 'page'],
      ['update', 2, 'n', 'optimistic'],
      ['readList', 'x'],
      ['answer', 19, 'empty'],
      ['remove', 2, 'optimistic'],
      ['createAs', 2, 'y', 'optimistic'],
      ['set', 2, 'b'],
      ['answer', 8, 'fail'],
      ['answer', 2],
    ],
  ],
  [
    '[O10] one of two callers of a read gives up: the answer still counts',
    [
      ['createAs', 5, 'x', 'refused'],
      ['readMap'],
      ['readMap'],
      ['mount', 1],
      ['assign', { l: '1' }, false],
      ['answer', 11, 'answer'],
      ['readMap'],
      ['answer', 17, 'abort'],
      ['answer', 16, 'answer'],
      ['answer', 2, 'answer'],
    ],
  ],
  [
    '[I3] an entry that was confirmed while an older read of its map is under way is not collected',
    [
      ['assign', { k: '4' }, false, false],
      ['readMap'],
      ['answer', 0, 'answer'],
      ['sweep'],
      ['readMap'],
    ],
  ],
  [
    '[C10] a change that had read a row, refused after the row was deleted, leaves who keeps the row',
    [
      ['mount', 2],
      ['answer', 0],
      ['bump', 2, 'optimistic, refused'],
      ['remove', 2],
      ['answer', 1],
    ],
  ],
  [
    '[C10] of two changes that had read a deleted row, the one that stands is computed without the refused one',
    [
      ['mount', 2],
      ['answer', 0],
      ['bump', 2, 'optimistic, refused'],
      ['bump', 2, 'optimistic'],
      ['update', 2, 'a', 'optimistic'],
      ['remove', 2],
      ['answer', 3],
      ['answer', 0],
    ],
  ],
  [
    '[R8] an empty response confirms a change of a row that was pushed and is hidden while a creation is in flight',
    [
      ['create', 'x', 'optimistic, refused', 'rows'],
      ['bump', 2, 'optimistic'],
      ['set', 2, 'a'],
      ['answer', 3, 'empty'],
    ],
  ],
];

test.each(programs)('%s', async (_, steps) => {
  expect(await play(steps)).toEqual([]);
});
