// Joins in queries: flat rows of two or three classes, kept up to date.
import { All, belongsTo, Collection, count, Delete, Entity, hasMany, hasOne, innerJoin, leftJoin, liveResult, manyToMany, Query, sum } from 'signalbox';
import { expect, test } from 'vitest';
import { watch, world } from '../setup/world.ts';

class Project extends Entity {
  id = 0;
  name = '';
}
class Issue extends Entity {
  id = 0;
  projectId: number | null = 0;
  title = '';
  rank = 0;
}
class Remark extends Entity {
  id = 0;
  issueId = 0;
  text = '';
}

const remarks = new Query(new All(Project), {
  join: {
    issue: innerJoin(hasMany(Issue, 'projectId', { sort: 'rank' })),
    remark: leftJoin(hasMany(Remark, 'issueId'), 'issue'),
  },
});

test('[N24] x', async () => {
  const w = world();
  await w.controller.set([Project], [{id: 1, name: 'a'}, {id: 2, name: 'b'}]);
  await w.controller.set([Issue], [{id: 1, projectId: 1, rank: 2}, {id: 2, projectId: 1, rank: 1}, {id: 3, projectId: 9}]);
  await w.controller.set([Remark], [{id: 1, issueId: 1, text: 'r'}, {id: 2, issueId: 1}]);
  const r = watch(w.controller.query(remarks).result);
  console.log(JSON.stringify(r.last.data));
  await w.controller.set(Issue, {id: 3}, {projectId: 2});
  console.log(JSON.stringify(r.last.data));
});
