// The visible content of a page, and the objects that still hold the store behind the page.
import { expect } from 'vitest';
import type { Reader } from 'signalbox';
import type { Driver, Scene, Screen } from './driver.ts';
import { world } from './world.ts';
import type { World } from './world.ts';

/** Title, beginning with the rule → the proof. */
export type Behaviours = Readonly<Record<string, (driver: Driver) => Promise<void>>>;

/** The lines that a user sees, top to bottom; content hidden by a boundary is left out. */
export function lines({ root }: Pick<Screen, 'root'>): string[] {
  return [...root.querySelectorAll<HTMLElement>('li, p, i, b')]
    .filter((element) => seen(element, root))
    .map(({ textContent }) => textContent);
}

function seen(element: HTMLElement, root: HTMLElement): boolean {
  for (let at: HTMLElement | null = element; at !== root; at = at?.parentElement ?? null) {
    if (at === null || at.style.display === 'none') return false;
  }
  return true;
}

/** The runs of rows since the last call of `ran`. */
export function rowsRan(world: World): Record<string, number> {
  const runs = Object.entries(world.ran());
  return Object.fromEntries(runs.filter(([name]) => name.startsWith('row ')));
}

/** A page with all data, with the counts of first runs and requests cleared. */
export async function shown(driver: Driver, world: World, ...scenes: Scene[]): Promise<Screen> {
  const screen = await driver.mount(world, scenes);
  expect(lines(screen)).not.toContain('loading');
  world.ran();
  world.server.log.length = 0;
  return screen;
}

/*
 * Looking into the store is for leaks alone: no visible content shows a leak.
 */

interface Chained {
  readonly next?: Chained;
}

interface Held {
  readonly cell?: object;
  readonly observers?: {
    readonly listeners: ReadonlySet<unknown>;
    readonly firstField?: Chained;
    readonly result?: object;
    readonly shape?: object;
  };
  parts(): unknown;
}

/** The holders of the data that `reader` reads, and of all parts: there must be no holder after an unmount. */
export function holders(reader: Reader): string[] {
  const { record } = reader as unknown as { record: Held };
  const found = reader.readers > 0 ? ['retained'] : [];
  const visit = (thing: unknown): void => {
    if (Array.isArray(thing)) return thing.forEach(visit);
    if (thing === null || typeof thing !== 'object' || !('parts' in thing)) return;
    const { cell, observers } = thing as Held;
    for (const _ of observers?.listeners ?? []) found.push('listener');
    const cells = [cell, observers?.result, observers?.shape];
    for (let field = observers?.firstField; field !== undefined; field = field.next)
      cells.push(field);
    for (const each of cells) if (each !== undefined && subscribed(each)) found.push('signal');
    visit((thing as Held).parts());
  };
  visit(record);
  return found;
}

/** True when the signal engine has somebody to wake for this cell. */
function subscribed(cell: object): boolean {
  targets ??= nameOfTargets();
  return Reflect.get(cell, targets) !== undefined;
}

let targets: string | undefined;

/** The build of the engine renames members: the member that a subscription fills. */
function nameOfTargets(): string {
  const { controller, getList } = world();
  const cell = controller.signal(getList, {});
  const stop = cell.subscribe(() => {});
  const during = Object.entries(cell);
  stop();
  const name = during.find(
    ([key, value]) => typeof value === 'object' && Reflect.get(cell, key) === undefined,
  )?.[0];
  if (name === undefined) throw new Error('the signal engine shows no subscriptions');
  return name;
}
