/** The layers of a store that has an optimistic write, or had one. */
import type { Store } from '../store/Store.ts';
import type { Layers } from './Layers.ts';

export function layersOf({ layers }: Store): Layers {
  return layers as Layers;
}
