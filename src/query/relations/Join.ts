/** Joins: a query with a row for each combination of a member and its related rows. */
import { checkArgument, DEV } from '../../errors.ts';
import type { Args } from '../../schema/schema.ts';
import type { Compare } from '../engine/SortedList.ts';
import type { MemberRows, RowsQuery } from '../MemberRows.ts';
import { JoinedRows } from './JoinedRows.ts';
import { JoinNode } from './JoinNode.ts';
import { Relation } from './Relation.ts';
import type { WithIncluded } from './Relation.ts';

/**
 * A relation of a query with a row for each related row. `Value` is the type of the joined row, `Parent` has the fields
 * that a row of the query must have.
 */
export class Join<Value, in Parent = unknown, A extends Args = Args> extends Relation<
  Value,
  Parent,
  A
> {
  /** The name of the join that has the rows with the relation; undefined: the members of the query have it. @internal */
  readonly source: string | undefined;
  /** True if there is a row without a related row, too. */
  readonly isLeft: boolean;

  /** @internal */
  constructor(relation: Relation<unknown>, source: string | undefined, isLeft: boolean) {
    if (DEV)
      checkArgument(relation instanceof Relation, 'a join', relation, 'a relation: hasMany(…)');
    super(relation.createRecord);
    this.source = source;
    this.isLeft = isLeft;
  }

  /** @internal */ override createRows(joins: AnyJoins, query: RowsQuery): MemberRows {
    return new JoinedRows(joins, query);
  }

  /** @internal */ override get compareKeys(): Compare<unknown> {
    return JoinNode.compare as Compare<unknown>;
  }
}

/** The joins of a query, by the names of the members that its rows get. */
// any: values and arguments of all types must fit
export type AnyJoins = Readonly<Record<string, Join<any, any, any>>>;

/** Refuses joins that do not start from a row with the fields that they need. */
export interface CheckedJoins<Row, J> {
  // any: as above
  readonly join: {
    readonly [K in keyof J]: J[K] extends Relation<any, WithIncluded<Row, J>, any> ? J[K] : never;
  };
}

/** A row that can be joined: an entity, not a figure. */
interface Joinable {
  pk(...args: never): unknown;
}

type JoinedRow<V> = V extends readonly (infer Row)[] ? Row : Exclude<V, undefined>;

/** The fields that a row of the query must have, if the join of the name `S` has the relation. */
type FieldsOf<P, S extends string> = [S] extends [never] ? P : { readonly [N in S]: P | undefined };

/**
 * A join of a query: `join: { issue: innerJoin(hasMany(Issue, 'projectId')) }`. A member has one row for each of its
 * related rows, and none without. `source`: the name of a join above whose row has the relation.
 */
export function innerJoin<
  V extends Joinable | readonly Joinable[] | undefined,
  P,
  A extends Args,
  const S extends string = never,
>(relation: Relation<V, P, A>, source?: S): Join<JoinedRow<V>, FieldsOf<P, S>, A> {
  return new Join(relation as Relation<unknown>, source, false);
}

/** As `innerJoin`; a member without related rows has one row, in which the joined row is undefined. */
export function leftJoin<
  V extends Joinable | readonly Joinable[] | undefined,
  P,
  A extends Args,
  const S extends string = never,
>(relation: Relation<V, P, A>, source?: S): Join<JoinedRow<V> | undefined, FieldsOf<P, S>, A> {
  return new Join(relation as Relation<unknown>, source, true);
}
