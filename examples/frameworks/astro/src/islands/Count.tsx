import { useSuspense } from 'signalbox/react';
import { TodoResource } from '../resources';
import { Island, type IslandProps } from './Island';

function Text() {
  return <p id="count">{useSuspense(TodoResource.getList).length} todos</p>;
}

export const Count = (props: IslandProps) => (
  <Island {...props}>
    <Text />
  </Island>
);
