// Runs the engine's garbage collection: unreachable objects are gone afterwards.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

/** Runs the collection over a few turns, as finalizers and references of the running job take a turn each. */
export async function collected(turns = 3): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await new Promise((resolve) => void setTimeout(resolve, 5));
    collect();
  }
}

/** Names of the objects that were collected after `keep` ended. `tag` names an object to watch. */
export async function released(
  keep: (tag: <T extends object>(name: string, value: T) => T) => unknown,
): Promise<string[]> {
  const gone: string[] = [];
  let tagged = 0;
  const registry = new FinalizationRegistry<string>((name) => void gone.push(name));
  await keep((name, value) => {
    registry.register(value, name);
    tagged++;
    return value;
  });
  for (let turn = 0; turn < 20 && gone.length < tagged; turn++) await collected(1);
  return gone.sort();
}
