/** What may happen to a page before it is hydrated. */
import { Todo, User } from '../demo/resources.ts';
import type { World } from './world.ts';

/** `?moved`: something was pushed to the page while it was on its way. The markup is older than the store then. */
export function moveOn({ controller }: World): void {
  if (!location.search.includes('moved')) return;
  void controller.set(Todo, { id: 1 }, { title: 'Pushed before hydration' });
  void controller.set(User, { id: 1 }, { name: 'Pushed, too' });
}
