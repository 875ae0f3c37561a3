// The contract of every storage; runs in Node and, bundled, in pages.
import type { PersistStorage, StorageWrite, StoredData } from 'signalbox/persist';

type Change = Partial<StorageWrite> & { readonly records?: Record<string, StoredData> };

const put = (records: Record<string, StoredData>, more: Change = {}): StorageWrite => ({
  put: new Map(Object.entries(records)),
  ...more,
});

const plain = (found: ReadonlyMap<string, StoredData>) =>
  Array.from(found, ([key, value]) => [key, typeof value === 'string' ? value : [...value]]);

/** `open` returns the same storage each time, empty at first. Returns the result of each step. */
export async function playStorage(open: () => PersistStorage): Promise<Record<string, unknown>> {
  const [one, other] = [open(), open()];
  const seen: Record<string, unknown> = {};
  const read = async (prefix = '') => plain(await other.read(prefix));
  seen['empty'] = await read();
  const bytes = Uint8Array.from({ length: 300 }, (_, at) => at % 256);
  await one.change([], () =>
    put({
      'a:1': 'text\n\0 ü 🙂',
      'a:2': bytes,
      'a:3': '',
      'a:4': new Uint8Array(),
      'b:/%2F?': 'b',
    }),
  );
  seen['kinds'] = await read('a:');
  seen['names'] = await read('b:');
  const found: unknown[] = [];
  await one.change(['a:3', 'none', 'a:1'], (values) => void found.push(...values));
  seen['order'] = found.map((value) => value ?? null);
  await one
    .change(['a:1'], () => {
      throw new Error('refused');
    })
    .catch((error: Error) => (seen['refused'] = error.message));
  seen['unchanged'] = (await read()).length;
  await one.change([], () => put({ 'a:1': 'new', 'a:5': 'more' }, { remove: ['a:2', 'none'] }));
  seen['removed'] = (await read('a:')).map(([key]) => key);
  const count = (storage: PersistStorage) =>
    storage.change(['b:count'], ([value]) => put({ 'b:count': String(Number(value ?? 0) + 1) }));
  await Promise.all(Array.from({ length: 20 }, (_, at) => count(at % 2 === 0 ? one : other)));
  seen['exclusive'] = (await read('b:count'))[0];
  await one.replace(put({ 'a:head': '2' }, { removeAll: 'a:' }), 'a:head', () => false);
  seen['replaced'] = (await read()).map(([key]) => key);
  // changes are made in the order in which the calls begin
  const big = 'x'.repeat(200_000);
  void one.change([], () => put({ 'c:1': big }));
  void one.replace(put({ 'c:2': 'last' }, { removeAll: 'c:' }), 'c:2', () => false);
  seen['last'] = await read('c:');
  return seen;
}

export const expectedOfStorage: Record<string, unknown> = {
  empty: [],
  kinds: [
    ['a:1', 'text\n\0 ü 🙂'],
    ['a:2', Array.from({ length: 300 }, (_, at) => at % 256)],
    ['a:3', ''],
    ['a:4', []],
  ],
  names: [['b:/%2F?', 'b']],
  order: ['', null, 'text\n\0 ü 🙂'],
  refused: 'refused',
  unchanged: 5,
  removed: ['a:1', 'a:3', 'a:4', 'a:5'],
  exclusive: ['b:count', '20'],
  replaced: ['a:head', 'b:/%2F?', 'b:count'],
  last: [['c:2', 'last']],
};
