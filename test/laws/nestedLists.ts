/** Projects and nested tasks, created under projects with a temporary key (O13). */
import { Collection, Entity } from 'signalbox';
import { Task } from '../setup/samples.ts';
import type { Call } from '../setup/world.ts';
import type { Shown } from './storeReaders.ts';
import type { Fields } from './confirmed.ts';
import { outcomeOf, FeatureModel } from './FeatureModel.ts';

const tasks = new Collection([Task], {
  nestKey: ({ id }: { readonly id: number }) => ({ projectId: id }),
});

class Project extends Entity {
  id = 0;
  name = '';
  tasks: Task[] = [];
  static override schema = { tasks };
}

interface Row {
  /** The key of the server; undefined: not known yet. */
  id: number | undefined;
  readonly name: string;
}

/** As rendered: in the order of issue, confirmed or not. */
interface Parent extends Row {
  /** The key in the store, while temporary. */
  readonly key: number;
  readonly tasks: Row[];
  /** Tasks that wait for the key. */
  readonly waiting: { send(call: Call): void; readonly fate: { with?: unknown } }[];
}

const shownOf = ({ id, name, tasks: inner }: Parent): Fields => ({
  id: id ?? -1,
  name,
  tasks: inner.map((task) => ({ id: task.id ?? -1, title: task.name })),
});

export class NestedLists extends FeatureModel {
  readonly #projects = new Collection([Project]);
  readonly #list = this.simulation.w.read('projects', this.#projects);
  readonly #create = this.simulation.w.mutation('project', this.#projects.push, {
    getOptimisticResponse: (_: unknown, body: Fields) => body,
  });
  readonly #add = this.simulation.w.mutation('task', tasks.push, {
    getOptimisticResponse: (_: unknown, { title }: Fields) => ({ title }),
  });
  readonly #known = new Set<Call>();
  /** Undefined: the list was never read. */
  #parents: Parent[] | undefined;
  #serial = 0;

  override get shown(): Shown[] {
    const source = this.simulation.w.controller.signal(this.#list, {});
    return [{ name: 'projects', source, wanted: () => this.#parents?.map(shownOf) }];
  }

  override reset(): void {
    super.reset();
    this.#parents = undefined;
  }

  /** The list is empty before anything is made. */
  begin(): void {
    if (this.#parents !== undefined) return;
    this.#parents = [];
    void this.simulation.w.controller.setResponse(this.#list, {}, []);
    this.simulation.model.tick();
  }

  create(omits: boolean, refused: boolean): void {
    const parents = this.#parents;
    if (parents === undefined) return;
    const id = ++this.#serial;
    const name = `p${id}`;
    const born: { parent?: Parent } = {};
    this.tell(this.#create, [{ name, tasks: [] }], () => ({
      value: refused ? undefined : { id, name, ...(!omits && { tasks: [] }) },
      take: () => {
        const { parent } = born;
        if (parent === undefined) return;
        parent.id = id;
        this.#sendWaiting(parent);
      },
      miss: () => this.#lose(parents, born.parent),
    }));
    const rows = this.simulation.w.controller.get(this.#projects, {}) as
      | readonly Project[]
      | undefined;
    const key = rows?.find((row) => row.name === name)?.id ?? 0;
    born.parent = { id: undefined, name, key, tasks: [], waiting: [] };
    parents.push(born.parent);
  }

  /** The body names the project in several places; when sent, no place contains a temporary key. */
  add(at: number, refused: boolean): void {
    const { w, inFlight } = this.simulation;
    const parent = this.#parents?.[at % (this.#parents.length || 1)];
    if (parent === undefined) return;
    const id = ++this.#serial;
    const title = `t${id}`;
    const key = parent.id ?? parent.key;
    const body = { title, projectId: key, about: { project: { id: key }, others: [key] } };
    const abort = new AbortController();
    const endpoint = this.#add.extend({ signal: abort.signal });
    const task: Row = { id: undefined, name: title };
    const fate = inFlight.follow(w.controller.fetch(endpoint, body));
    this.simulation.model.tick();
    parent.tasks.push(task);
    const send = (call: Call) => {
      this.#known.add(call);
      const drop = () => void parent.tasks.splice(parent.tasks.indexOf(task), 1);
      const outcome = outcomeOf(refused ? undefined : { id, title }, {
        take: () => void (task.id = id),
        miss: drop,
        shown: () => undefined,
        stale: () => false,
      });
      this.simulation.send({ call, abort, fate, outcome });
    };
    if (parent.id === undefined) parent.waiting.push({ send, fate });
    else send(w.call());
    if (parent.id !== undefined) this.#check(w.call(), parent);
  }

  #sendWaiting(parent: Parent): void {
    const sent = this.simulation.w.calls.filter(
      (call) => call.name === 'task' && !this.#known.has(call),
    );
    if (sent.length !== parent.waiting.length)
      this.simulation.fault(`tasks not sent: ${sent.length} of ${parent.waiting.length}`);
    for (const [at, waiting] of parent.waiting.splice(0).entries()) {
      const call = sent[at];
      if (call === undefined) continue;
      waiting.send(call);
      this.#check(call, parent);
    }
  }

  #check({ args: [body] }: Call, { id }: Parent): void {
    const { projectId, about } = body as Fields;
    const due = JSON.stringify([id, { project: { id }, others: [id] }]);
    const sent = JSON.stringify([projectId, about]);
    if (sent !== due) this.simulation.fault(`temporary key sent: ${sent}, not ${due}`);
  }

  /** Callers that wait for a project are rejected if its creation failed. */
  #lose(parents: Parent[], parent: Parent | undefined): void {
    if (parent === undefined) return;
    parents.splice(parents.indexOf(parent), 1);
    if (parent.waiting.length > 0) this.simulation.several();
    for (const { fate } of parent.waiting) {
      const { code } = (fate.with ?? {}) as { code?: unknown };
      if (code !== 'E6') this.simulation.fault(`lost task not told: ${String(fate.with)}`);
    }
  }
}
