/** @jsxImportSource preact */
// The reads of row components while a reset removes their list.
import { render } from 'preact';
import { expect, onTestFinished, test } from 'vitest';
import { Collection, Controller, Entity, RestEndpoint } from 'signalbox';
import { AsyncBoundary, Provider, useSuspense } from 'signalbox/preact';

class Article extends Entity {
  id = 0;
  title = '';
  tags: readonly string[] = [];
}

const rows = [
  { id: 1, title: 'a', tags: ['x'] },
  { id: 2, title: 'b', tags: ['y'] },
];
const getList = new RestEndpoint({
  path: '/articles',
  schema: { articles: new Collection([Article]), count: 0 },
  fetchResponse: async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    return Response.json({ articles: rows, count: 2 });
  },
});

const Row = ({ article }: { readonly article: Article }) => (
  <li title={article.title}>{article.tags.map((tag) => tag.toUpperCase()).join()}</li>
);

function List() {
  const { articles } = useSuspense(getList);
  return (
    <ul>
      {articles.map((article) => (
        <Row key={article.id} article={article} />
      ))}
    </ul>
  );
}

test('[O8] rows that re-render before their list during a reset read the defaults of their class', async () => {
  const root = document.body.appendChild(document.createElement('main'));
  const controller = new Controller();
  onTestFinished(() => {
    render(null, root);
    root.remove();
  });
  render(
    <Provider controller={controller}>
      <AsyncBoundary fallback={<p>waits</p>} errorComponent={({ error }) => <b>{error.message}</b>}>
        <List />
      </AsyncBoundary>
    </Provider>,
    root,
  );
  const shown = '<ul><li title="a">X</li><li title="b">Y</li></ul>';
  await expect.poll(() => root.innerHTML).toBe(shown);
  controller.reset();
  await expect.poll(() => root.innerHTML).toBe('<p>waits</p>');
  await expect.poll(() => root.innerHTML).toBe(shown);
});
