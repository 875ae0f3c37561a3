'use client';
import { useEffect, useState } from 'react';
import { useSuspense } from 'signalbox/react';
import { TodoResource } from '../../resources';

export function TodoDetail({ id }: { id: string }) {
  const todo = useSuspense(TodoResource.get, { id });
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => setIsHydrated(true), []);
  return (
    <p id="todo" data-hydrated={isHydrated}>
      {todo.title}
    </p>
  );
}
