// A detail in pure Rest Hooks 5 style runs with the imports of signalbox/data-client alone.
import { fireEvent, render, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ArticleResource, Page } from './ArticleDetail.tsx';

const requests: string[] = [];
let title = 'Signals';

const network = setupServer(
  http.get('http://api.test/article/:id', ({ request }) => {
    requests.push(`token ${request.headers.get('x-token')}`);
    return HttpResponse.json({ id: 5, title, content: '', author: { id: 1, username: 'ada' } });
  }),
  http.patch('http://api.test/article/:id', async ({ request }) => {
    title = ((await request.json()) as { title: string }).title;
    return HttpResponse.json({ id: 5, title, content: '', author: 1 });
  }),
  http.get('http://api.test/user/', () => HttpResponse.json([{ id: 1, username: 'ada' }])),
  http.post('http://api.test/user/', async ({ request }) =>
    HttpResponse.json({ id: 2, ...((await request.json()) as object) }),
  ),
);

beforeAll(() => {
  network.listen({ onUnhandledRequest: 'error' });
  network.events.on('request:start', ({ request }) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`);
  });
});
afterAll(() => network.close());
afterEach(() => {
  requests.length = 0;
});

test('[T5] a detail of Rest Hooks 5 reads, changes, creates, invalidates and resets', async () => {
  render(<Page id={5} />);
  await screen.findByRole('heading', { name: 'Signals' });
  expect(screen.getByText('ada', { selector: 'p' })).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('Signals');
  expect(requests.filter((line) => line.startsWith('GET')).sort()).toEqual([
    'GET /article/5',
    'GET /user/',
  ]);
  expect(requests).toContain('token secret');
  fireEvent.click(screen.getByText('change'));
  await screen.findByRole('heading', { name: 'Changed' });
  fireEvent.click(screen.getByText('add'));
  await screen.findByText('ada, linus');
  title = 'Again';
  fireEvent.click(screen.getByText('invalidate'));
  await screen.findByRole('heading', { name: 'Again' });
  requests.length = 0;
  fireEvent.click(screen.getByText('reset'));
  await screen.findByText('ada', { selector: 'p' });
  expect(requests.filter((line) => line.startsWith('GET')).length).toBe(2);
});

test('[T5] shapes of older versions are the endpoints of the class', () => {
  expect(ArticleResource.detailShape()).toBe(ArticleResource.detail());
  expect(ArticleResource.listShape()).toBe(ArticleResource.list());
  expect(ArticleResource.createShape()).toBe(ArticleResource.create());
  expect(ArticleResource.updateShape()).toBe(ArticleResource.update());
  expect(ArticleResource.partialUpdateShape()).toBe(ArticleResource.partialUpdate());
  expect(ArticleResource.deleteShape()).toBe(ArticleResource.delete());
});
