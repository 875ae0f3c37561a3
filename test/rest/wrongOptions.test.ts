/** Wrong use of definitions is said at once: options and members that do not exist. */
import {
  Collection,
  Controller,
  createResource,
  Endpoint,
  Entity,
  RestEndpoint,
  Values,
} from 'signalbox';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

class Todo extends Entity {
  id = 0;
  title = '';
}

describe('an option that does not exist', () => {
  const warned = vi.fn<(text: string) => void>();
  beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(warned));
  afterEach(() => void warned.mockClear());

  test.each([
    ['paginationFeld', 'paginationField'],
    ['dataExpiryLenght', 'dataExpiryLength'],
    ['methd', 'method'],
    ['shema', 'schema'],
    ['urlPrefixx', 'urlPrefix'],
    ['optimistik', 'optimistic'],
  ])('[H10] %s is a warning that names %s', (option, known) => {
    const options = { path: '/todos/:id', schema: Todo, [option]: 'x' };
    createResource(options);
    expect(warned).toHaveBeenCalledTimes(1);
    expect(warned.mock.lastCall?.[0]).toMatch(
      `E11] "${option}" is not an option, but "${known}" is`,
    );
  });

  test('[H10] options of an endpoint and of extend are checked, too', () => {
    void new Endpoint(async () => 1, { ['timeuot' as 'timeout']: 5 });
    new RestEndpoint({ path: '/x' }).extend({ ['sideEfect' as 'sideEffect']: true });
    expect(warned.mock.calls.map(([text]) => /"(\w+)" is not an option/.exec(text)?.[1])).toEqual([
      'timeuot',
      'sideEfect',
    ]);
  });

  test('[H10] members of a class, and names that are near to nothing, are options', () => {
    class Mine extends RestEndpoint {
      contents(): string {
        return '';
      }
    }
    const near = { keys: 1, urls: 2 };
    const mine = { contents: () => 'x', token: 'y', mine: true };
    void new Mine({ path: '/x', ...mine });
    void new Endpoint(async () => 1, {
      name: 'y',
      key: () => 'z',
      extra: 5,
      ...near,
    });
    expect(warned).not.toHaveBeenCalled();
  });
});

describe('a change of what is no Collection', () => {
  const resource = createResource({ path: '/todos/:id', schema: Todo });
  const lists = {
    plain: new RestEndpoint({ path: '/todos', schema: [Todo] }),
    envelope: resource.getList.extend({ schema: { results: [Todo], total: 0 } }),
    detail: resource.get,
  };

  test.each(['plain', 'envelope', 'detail'] as const)(
    '[H10] %s says what it lacks, and how it gets that',
    (name) => {
      const list = lists[name] as RestEndpoint;
      for (const member of ['push', 'unshift', 'assign', 'remove', 'move'] as const) {
        expect(() => list[member] as unknown).toThrow(
          `[signalbox R15] ${list.title}: the endpoint has no "${member}": its schema has no Collection; ` +
            'declare the list as new Collection([Entity])',
        );
      }
      expect(() => list.getPage as unknown).toThrow('no "getPage": it has no paginationField');
    },
  );

  test('[H10] a map has no push, a list no assign', () => {
    const map = new RestEndpoint({ path: '/map', schema: new Collection(new Values(Todo)) });
    expect(() => map.push as unknown).toThrow('"push": Collection(Values(Todo)) has none');
    expect(() => resource.getList.assign as unknown).toThrow('Collection([Todo]) has none');
    expect(map.assign.method).toBe('POST');
  });

  test('[H10] looking for it, spreading and extending do no harm', () => {
    const { plain } = lists;
    expect('push' in plain).toBe(true);
    expect({ ...plain }).not.toHaveProperty('push');
    const extended = plain.extend({ schema: new Collection([Todo]) });
    expect(extended.push.method).toBe('POST');
    expect(plain.extend({ dataExpiryLength: 5 }).path).toBe('/todos');
  });

  test('[M6] a list in an envelope is read all the same', async () => {
    const controller = new Controller({ send: async () => ({ results: [{ id: 1 }], total: 1 }) });
    const { results, total } = await controller.fetch(lists.envelope);
    expect([results[0]?.id, total]).toEqual([1, 1]);
    expect(results[0]).toBeInstanceOf(Todo);
  });
});
