/** The optimistic response to a mutation with changed arguments. */
import type { Asked } from '../fetch/Asked.ts';
import { change } from '../fetch/commit.ts';
import type { Desk } from '../fetch/Desk.ts';
import type { Args } from '../schema/schema.ts';

/** Renders the optimistic response to these arguments. */
export function renderArgs(desk: Desk, asked: Asked, args: Args): void {
  asked.args = args;
  const { shown } = asked;
  if (shown === undefined) return;
  change(desk, 'optimistic', () => desk.store.layers.renew(shown.layer), { by: asked });
}
