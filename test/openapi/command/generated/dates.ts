/**
 * Dates and enums 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { createResource, Entity } from 'signalbox';

const urlPrefix = 'https://dates.invalid';

/** In UTC. */
export type Timestamp = string;

export type Times = string[];

export type State = 'planned' | 'in-progress' | 'done';

export type Level = 1 | 2;

export interface VisitInput {
  id?: number;
  begin: Date | string;
  /** When it was over. */
  end?: Date | string;
  marks: (Date | string)[];
  times: (Date | string)[];
  checked?: Date | string | null;
  renewed: Date | string;
  paused?: Date | string | null;
  resumed?: Date | string | null;
  rank?: number | null;
  mood?: State | null;
  state: State;
  level?: Level;
}

export class Visit extends Entity {
  id = 0;
  begin = new Date(0);
  /** When it was over. */
  end?: Date;
  marks: Date[] = [];
  times: Date[] = [];
  checked: Date | null = null;
  renewed = new Date('2020-01-01T00:00:00Z');
  paused: Date | null = new Date('2021-01-01T00:00:00Z');
  resumed: Date | null = null;
  rank: number | null = 3;
  mood: State | null = 'done';
  state: State = 'planned';
  level?: Level;

  static override key = 'Visit';
  static override schema = {
    begin: Date,
    end: Date,
    marks: [Date],
    times: [Date],
    checked: Date,
    renewed: Date,
    paused: Date,
    resumed: Date,
  };
}

const visitResource = createResource({
  urlPrefix,
  path: '/visits/:id',
  schema: Visit,
  searchParams: {} as { since?: Date | string },
  body: {} as VisitInput,
});

/** The description has no update, partialUpdate, delete. */
export const VisitResource = {
  get: visitResource.get,
  getList: visitResource.getList,
  create: visitResource.create,
  extend: visitResource.extend,
};
