'use client';
/** A page of client components alone: the server renders it, and what it has fetched travels with the stream. */
import Link from 'next/link';
import { Suspense, useState } from 'react';
import { useController, useSuspense } from 'signalbox/react';
import { TodoResource, UserResource } from '../resources';

function Todos() {
  const todos = useSuspense(TodoResource.getList);
  const controller = useController();
  const rename = () =>
    controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'Renamed' });
  return (
    <>
      <ul id="todos">
        {todos.map((todo) => (
          <li key={todo.id}>{todo.title}</li>
        ))}
      </ul>
      <button type="button" id="rename" onClick={rename}>
        rename
      </button>
    </>
  );
}

function Users() {
  const users = useSuspense(UserResource.getList);
  const [clicks, setClicks] = useState(0);
  return (
    <p>
      <span id="users">{users.map((user) => user.name).join(', ')}</span>
      <button type="button" id="clicks" onClick={() => setClicks(clicks + 1)}>
        {clicks} clicks
      </button>
    </p>
  );
}

export default function Page() {
  return (
    <main>
      <Suspense fallback={<p>Loading todos</p>}>
        <Todos />
      </Suspense>
      <Suspense fallback={<p>Loading users</p>}>
        <Users />
      </Suspense>
      <Link href="/dehydrated/2" id="next">
        todo 2
      </Link>
    </main>
  );
}
