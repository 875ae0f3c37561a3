/** The smallest random programs that once broke a law. */
import { expect, test } from 'vitest';
import { play } from './program.ts';
import type { Step } from './program.ts';

const programs: readonly (readonly [string, readonly Step[]])[] = [
  [
    '[O15] a row is refetched if a mutation without a body contradicts a field that the mutation before has sent',
    [
      ['mount', 'all'],
      ['update', 2, 'n', 'plain'],
      ['bump', 2, 'plain'],
      ['answer', 0],
      ['answer', 0],
    ],
  ],
  [
    '[C10] a deleted row shows an optimistic change issued after a deletion that is refused',
    [
      ['mount', 'all'],
      ['readList', 'newY'],
      ['mount', 'page'],
      ['mount', 3],
      ['remove', 3, 'optimistic, refused'],
      ['createAs', 3, 'x', 'optimistic'],
      ['remove', 3, 'plain'],
      ['answer', 0],
      ['answer', 0],
      ['answer', 0],
      ['answer', 0],
      ['answer', 2],
    ],
  ],
  [
    '[C10] a row whose deletion is in flight shows no value of a creation that was refused since',
    [
      ['mount', 1],
      ['remove', 1, 'optimistic'],
      ['createAs', 1, 'x', 'optimistic, refused'],
      ['answer', 0],
      ['answer', 1],
    ],
  ],
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
    '[O15] own edits answered in another order do not count as reads, and no list is refetched',
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
    '[O15] a push of a row whose deletion is then confirmed conflicts with no response, and no list is refetched',
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
    '[N21] a row that returns to a list by a response is placed behind rows that joined the list meanwhile',
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
    '[N18] an optimistic creation, pushed before its response, refetches no list that the row never joined',
    [
      ['mount', 'newY'],
      ['createAs', 6, 'x', 'optimistic'],
      ['set', 6, 'tags'],
    ],
  ],
  [
    '[O4] the response of a list requested earlier does not move rows',
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
    '[O3] a row created while its deletion is in flight exists, also if the creation is answered first',
    [
      ['remove', 2, 'optimistic'],
      ['createAs', 2, 'y', 'optimistic'],
      ['answer', 1],
    ],
  ],
  [
    '[O3] a row whose last deletion was issued after its creation stays deleted',
    [
      ['remove', 2, 'optimistic'],
      ['createAs', 2, 'y', 'optimistic'],
      ['remove', 2, 'optimistic'],
      ['answer', 20, 'empty'],
    ],
  ],
  [
    '[N15] a row optimistically deleted and created again is placed at the end of the list',
    [
      ['readList', 'all'],
      ['answer', 0],
      ['remove', 1, 'optimistic'],
      ['createAs', 1, 'y', 'optimistic'],
    ],
  ],
  [
    '[O5] a row optimistically deleted and created again leaves lists it no longer matches, with one notification',
    [
      ['readList', 'x'],
      ['answer', 0],
      ['remove', 2, 'optimistic'],
      ['createAs', 2, 'y', 'optimistic, refused'],
    ],
  ],
  [
    '[O5] a push restores a deleted row together with its optimistic values in flight',
    [
      ['update', 2, 'a', 'optimistic'],
      ['remove', 2, 'plain'],
      ['answer', 1],
      ['set', 2, 'b'],
    ],
  ],
  [
    '[O3] a creation answered after a later deletion joins no list, also if a push restores the row',
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
    '[O3] an own write answered after a later one stays overruled when the row is deleted and pushed again',
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
    '[O5] a row with an optimistic deletion and a later optimistic change is in no list',
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
    '[O3] a row created again keeps its key in any order of own responses',
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
    '[O5] a row hidden by an optimistic deletion that fails keeps its position',
    [
      ['readList', 'x'],
      ['createAs', 2, 'x', 'optimistic'],
      ['remove', 2, 'optimistic, refused'],
    ],
  ],
  [
    '[V2] a row joining a list below a layer that removes the row notifies no reader of the list',
    [
      ['readList', 'x'],
      ['createAs', 4, 'x', 'plain'],
      ['remove', 4, 'optimistic'],
      ['createAs', 4, 'y', 'optimistic, refused'],
    ],
  ],
  [
    '[O5] rows created optimistically twice are placed by the last creation',
    [
      ['readList', 'all'],
      ['createAs', 5, 'y', 'optimistic'],
      ['createAs', 4, 'y', 'optimistic, refused'],
      ['remove', 5, 'optimistic, refused'],
      ['createAs', 5, 'x', 'optimistic'],
    ],
  ],
  [
    '[O4] a row created again that an older read lacks is placed in the order of the creations',
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
    '[O6] optimistic changes of a row with a temporary key apply to the row under the server key',
    [
      ['create', 'x', 'optimistic'],
      ['updateNew', 'a', 'optimistic'],
      ['answer', 0],
    ],
  ],
  [
    '[O6] a row whose deletion waits for the server key is not shown meanwhile',
    [
      ['create', 'x', 'optimistic'],
      ['removeNew', 'optimistic'],
      ['answer', 0],
    ],
  ],
  [
    '[O6] optimistic changes of a deleted row have the key that the server assigned',
    [
      ['create', 'x', 'optimistic'],
      ['removeNew', 'plain'],
      ['updateNew', 'b', 'optimistic'],
    ],
  ],
  [
    '[O6] optimistic changes under a temporary key apply to the row under the server key, also if deleted',
    [
      ['create', 'x', 'optimistic'],
      ['remove', 7, 'optimistic'],
      ['updateNew', 'b', 'optimistic, refused'],
      ['answer', 1],
    ],
  ],
  [
    '[O6] a row whose deletion waits for the server key is in no list, also if a later change shows the row',
    [
      ['create', 'x', 'optimistic'],
      ['removeNew', 'optimistic'],
      ['readList', 'x'],
      ['update', 7, 'b', 'optimistic, refused'],
    ],
  ],
  [
    '[O3] a row created again leaves lists that an earlier optimistic layer put the row into',
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
    '[N19] a post renamed twice has the last key, also if the first renaming is answered last',
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
    '[O11] a read of a count issued before an increment is not joined after the increment',
    [['more', false], ['readCount'], ['readList', 'all'], ['answer', 15], ['readCount']],
  ],
  [
    '[C10] a mounted detail of a deleted row drops an optimistic change that is rejected afterwards',
    [
      ['mount', 2],
      ['update', 2, 'a', 'optimistic, refused'],
      ['remove', 2, 'plain'],
      ['answer', 3],
      ['answer', 1],
    ],
  ],
  [
    '[C10] a mounted detail of a deleted row keeps a change confirmed after the deletion when another one fails',
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
    '[C10] a mounted detail of a row deleted under its temporary key keeps the last shown data',
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
    '[N18] a mounted list at another address is refetched if a row in the list is deleted and created again',
    [
      ['mount', 'new'],
      ['answer', 4, 'answer'],
      ['remove', 2, 'optimistic'],
      ['createAs', 2, 'y', 'optimistic'],
      ['answer', 11, 'answer'],
    ],
  ],
  [
    '[C10] when the later of two deletions fails, a mounted detail shows responses since the earlier deletion',
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
    '[O5] a field pushed below an optimistic deletion is shown when the deletion fails',
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
    '[O10] when one of two callers of a read aborts, the response is still applied',
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
    '[I3] a map entry confirmed while an older read of the map is in flight is not garbage collected',
    [
      ['assign', { k: '4' }, false, false],
      ['readMap'],
      ['answer', 0, 'answer'],
      ['sweep'],
      ['readMap'],
    ],
  ],
  [
    "[C10] a change computed from a row and rejected after the row's deletion leaves the mounted detail",
    [
      ['mount', 2],
      ['answer', 0],
      ['bump', 2, 'optimistic, refused'],
      ['remove', 2],
      ['answer', 1],
    ],
  ],
  [
    '[C10] of two changes computed from a deleted row, the remaining one is recomputed without the rejected one',
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
    '[N23] a response with the key alone confirms a change of a row that was pushed and is hidden while a creation is in flight',
    [
      ['create', 'x', 'optimistic', 'rows'],
      ['createAs', 1, 'x', 'plain'],
      ['bump', 7, 'optimistic'],
      ['set', 7, 'a'],
      ['answer', 2, 'partial'],
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
