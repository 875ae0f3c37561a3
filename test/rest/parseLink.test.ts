/** Link headers, well-formed and malformed. */
import { parseLink } from 'signalbox';
import { expect, test } from 'vitest';

test.each([
  ['absent', null, {}],
  ['empty', '', {}],
  ['one', '<https://h/?page=2>; rel="next"', { next: 'https://h/?page=2' }],
  ['several', '<a>; rel="next", <b>; rel="last"', { next: 'a', last: 'b' }],
  [
    'commas and semicolons in the address',
    '<a?x=1,2;3>; rel=next,<b>;rel=prev',
    { next: 'a?x=1,2;3', prev: 'b' },
  ],
  ['commas and quotes in a param', '<a>; title="x, \\"<y>\\"; rel=no"; rel="next"', { next: 'a' }],
  ['two relations in one', '<a>; rel="next last"', { next: 'a', last: 'a' }],
  ['relations in capitals', '<a>; REL="NEXT"', { next: 'a' }],
  ['a relation twice', '<a>; rel=next; rel=prev, <b>; rel=next', { next: 'a' }],
  ['no relation', '<a>, <b>; title=x', {}],
  ['a param without a value', '<a>; crossorigin; rel=next', { next: 'a' }],
  ['empty members', ', ,<a>; rel=next,', { next: 'a' }],
  [
    'a name of every object',
    '<a>; rel="__proto__ constructor"',
    { ['__proto__']: 'a', constructor: 'a' },
  ],
  ['broken after the first', '<a>; rel=next oops, <b>; rel=prev', { next: 'a' }],
  ['never closed', '<a>; rel=next, <b', { next: 'a' }],
  ['no links', 'next: 2', {}],
])(
  '[M6] parseLink returns the addresses by relation for a Link header: %s',
  (_, header, expected) => {
    expect({ ...parseLink(header) }).toEqual(expected);
  },
);

test.each(['<', '<a', '<a>;', '<a>; x="', '<a>; rel="\\', '<a> ', ', ', '<a>;a = '])(
  '[M6] parseLink of 200,000 times %j takes less than a second',
  (part) => {
    const time = (count: number) => {
      const header = part.repeat(count);
      const start = performance.now();
      parseLink(header);
      return performance.now() - start;
    };
    time(1000);
    expect(time(200_000)).toBeLessThan(1000);
  },
);
