// Related rows after a reload, in another tab, and from a server.
import { Suspense } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { belongsTo, Controller, createResource, Entity, hasMany, withRelated } from 'signalbox';
import type { Relations } from 'signalbox';
import { persist } from 'signalbox/persist';
import { Provider, useSuspense } from 'signalbox/react';
import { serverDataTransform } from 'signalbox/ssr/node';
import { connectTabs } from 'signalbox/tabs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { settled, StoppedClock, watch } from '../setup/world.ts';
import { freshDisk } from '../sync/disks.ts';
import { MessageBus } from '../sync/MessageBus.ts';
import { arrive } from '../ssr/page.ts';

class Post extends Entity {
  id = 0;
  title = '';
  declare readonly comments: readonly Comment[];
  static override key = 'Post';
  static override relations: Relations<Post> = {
    comments: hasMany(() => Comment, 'postId', { from: () => comments.getList }),
  };
}
class Comment extends Entity {
  id = 0;
  postId = 0;
  text = '';
  declare readonly post?: Post;
  static override key = 'Comment';
  static override relations: Relations<Comment> = { post: belongsTo(Post, 'postId') };
}
const posts = createResource({ path: '/posts/:id', schema: Post });
const comments = createResource({
  path: '/comments/:id',
  searchParams: undefined as { postId: number } | undefined,
  schema: Comment,
});
const answers: Readonly<Record<string, unknown>> = {
  [posts.get.key({ id: 1 })]: { id: 1, title: 'p1' },
  [comments.getList.key({ postId: 1 })]: [{ id: 1, postId: 1, text: 'c1' }],
};

function open(sent: string[] = []) {
  return new Controller({
    clock: new StoppedClock(),
    retry: 0,
    send: (endpoint, args) => {
      sent.push(endpoint.key(...args));
      return Promise.resolve(answers[endpoint.key(...args)]);
    },
  });
}

const shownBy = (controller: Controller) => {
  const post = controller.get(Post, { id: 1 });
  return post?.comments.map((comment) => `${comment.text} of ${comment.post?.title}`);
};

test('[N24] a store restored from disk has the same related rows', async () => {
  const name = freshDisk();
  const first = open();
  const names = { posts, comments };
  const kept = persist(first, { names, name });
  await kept.ready;
  await first.fetch(posts.get, { id: 1 });
  await first.fetch(comments.getList, { postId: 1 });
  expect(shownBy(first)).toEqual(['c1 of p1']);
  await kept.flush();
  kept.stop();
  const second = open();
  const restored = persist(second, { names, name });
  await restored.ready;
  expect(shownBy(second)).toEqual(['c1 of p1']);
  restored.stop();
});

test('[N24] related rows of another tab appear under their parent', async () => {
  const bus = new MessageBus();
  const [one, two] = [open(), open()];
  const stops = [one, two].map((tab) =>
    connectTabs(tab, { names: { posts, comments }, channel: bus.channel() }),
  );
  const quiet = async () => {
    await settled();
    while (bus.waiting > 0) {
      bus.deliver(0);
      await settled();
    }
  };
  await quiet();
  await one.fetch(posts.get, { id: 1 });
  await quiet();
  const { result } = two.query(Post, { id: 1 });
  const seen = watch(() => result.value.data?.comments.map((comment) => comment.text));
  expect(seen.last).toEqual([]);
  await one.fetch(comments.getList, { postId: 1 });
  await quiet();
  expect(seen.last).toEqual(['c1']);
  expect(shownBy(two)).toEqual(['c1 of p1']);
  stops.forEach((stop) => stop());
});

test('[H5] a server renders related rows, and the hydrated page sends no request for the rows', async () => {
  const getPost = withRelated(posts.get, { comments: true });
  function Shown() {
    const { title, comments: all } = useSuspense(getPost, { id: 1 });
    return <p>{`${title}: ${all.map((comment) => comment.text).join()}`}</p>;
  }
  const sent: string[] = [];
  const controller = open(sent);
  const { pipe } = renderToPipeableStream(
    <Provider controller={controller}>
      <Suspense fallback={<i>loading</i>}>
        <Shown />
      </Suspense>
    </Provider>,
  );
  const html = await text(pipe(serverDataTransform(controller)) as NodeJS.ReadableStream);
  expect(html).toContain('<p>p1: c1</p>');
  expect(sent).toHaveLength(2);
  const asked: string[] = [];
  const page = arrive(html, open(asked));
  const reader = page.view(getPost, { id: 1 });
  expect(reader.ensure(true)).toBeUndefined();
  expect(shownBy(page)).toEqual(['c1 of p1']);
  expect(asked).toEqual([]);
});
