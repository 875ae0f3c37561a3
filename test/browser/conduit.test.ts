// The RealWorld application in three frameworks, end to end: pages show the server's data with few requests.
import { beforeAll, describe, expect, test } from 'vitest';
import { frameworks } from '../../examples/ssr/bundle.ts';
import { articles } from './conduit/articles.ts';
import { lists } from './conduit/lists.ts';
import { makeLab } from './conduit/makeLab.ts';
import type { Play } from './conduit/Play.ts';
import { reactions } from './conduit/reactions.ts';
import type { Visit } from './conduit/Visit.ts';

const lab = makeLab();

describe.each(frameworks)('%s', (framework) => {
  let visit: Visit;
  beforeAll(async () => {
    visit = await lab.visit(framework);
  });

  const play: Play = (title, act) =>
    // eslint-disable-next-line vitest/valid-title -- each part says its own
    test(title, async () => {
      let problems: string[] = [];
      try {
        await act(visit);
        await visit.settled();
      } finally {
        problems = [...visit.complaints.splice(0), ...visit.missing.splice(0)];
      }
      expect(problems).toEqual([]);
    });
  lists(play);
  reactions(play);
  articles(play);
});
