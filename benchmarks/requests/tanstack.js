/** The issue tracker on TanStack Query: keys by topic, and after a change the keys are invalidated that may show it. */
import { QueryClient, QueryObserver } from '@tanstack/query-core';

const send = async (method, path, body) => {
  const init = { method, body: JSON.stringify(body) };
  const response = await fetch(`http://server${path}`, init);
  return response.json();
};

function pathOf([what, value]) {
  if (what === 'issues') return `/issues?state=${value}`;
  if (what === 'comments') return `/comments?issueId=${value}`;
  return `/${what}s/${value}`;
}

/** `issues` is the beginning of the keys of lists and of single issues. */
function keyOf([what, value]) {
  if (what === 'issues') return ['issues', 'list', value];
  return what === 'issue' ? ['issues', 'one', value] : [what, value];
}

export function createApp() {
  // as fresh as Signalbox takes data for
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  client.mount();
  const change = async (sent, ...keys) => {
    await sent;
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  return {
    show: (what) =>
      new QueryObserver(client, {
        queryKey: keyOf(what),
        queryFn: () => send('GET', pathOf(what)),
      }).subscribe(() => {}),
    dataOf: (what) => client.getQueryData(keyOf(what)),
    rename: (id, title) => change(send('PATCH', `/issues/${id}`, { title }), ['issues']),
    setState: (id, state) => change(send('PATCH', `/issues/${id}`, { state }), ['issues']),
    create: (title) => change(send('POST', '/issues', { title, state: 'open' }), ['issues']),
    remove: (id) => change(send('DELETE', `/issues/${id}`), ['issues']),
    comment: (issueId, text) =>
      change(send('POST', '/comments', { issueId, text }), ['comments', issueId]),
    // authors are shown with their issues
    renameUser: (id, login) =>
      change(send('PATCH', `/users/${id}`, { login }), ['user', id], ['issues']),
  };
}
