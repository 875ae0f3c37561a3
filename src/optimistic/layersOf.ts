/** The layers of a store in which optimistic writes are installed. */
import type { Store } from '../store/Store.ts';
import type { Layers } from './Layers.ts';

export function layersOf({ layers }: Store): Layers {
  return layers as Layers;
}
