/** The steps of a simulation that do not concern rows: each kind has endpoints and a model. */
import { Beads } from './beads.ts';
import type { Shown } from './storeReaders.ts';
import { NestedLists } from './nestedLists.ts';
import { ChangingKeys } from './changingKeys.ts';
import { MapModel } from './mapModel.ts';
import { MergeModel } from './mergeModel.ts';
import type { SimulationContext } from './FeatureModel.ts';
import { Sums } from './sums.ts';

export class IndependentModels {
  readonly #simulation: SimulationContext;
  readonly #changingKeys: ChangingKeys;
  readonly #sums: Sums;
  readonly #beads: Beads;
  readonly #mapModel: MapModel;
  readonly #nestedLists: NestedLists;
  readonly #mergeModel: MergeModel;

  constructor(simulation: SimulationContext) {
    this.#simulation = simulation;
    this.#changingKeys = new ChangingKeys(simulation);
    this.#sums = new Sums(simulation);
    this.#beads = new Beads(simulation);
    this.#mapModel = new MapModel(simulation);
    this.#nestedLists = new NestedLists(simulation);
    this.#mergeModel = new MergeModel(simulation);
  }

  get #sides() {
    return [
      this.#changingKeys,
      this.#sums,
      this.#beads,
      this.#mapModel,
      this.#nestedLists,
      this.#mergeModel,
    ];
  }

  get shown(): Shown[] {
    return this.#sides.flatMap(({ shown }) => shown);
  }

  reset(): void {
    for (const side of this.#sides) side.reset();
  }

  readPosts(): void {
    this.#tell(this.#changingKeys.read());
  }

  changePost(at: number, what: 'title' | 'slug' | 'both', expects: boolean): void {
    this.#tell(this.#changingKeys.change(at, what, expects));
  }

  readCount(): void {
    this.#tell(this.#sums.read());
  }

  more(refused: boolean): void {
    this.#sums.more(refused);
  }

  readBeads(): void {
    this.#tell(this.#beads.read());
  }

  addBead(refused: boolean): void {
    this.#beads.add(refused);
  }

  readMap(): void {
    this.#tell(this.#mapModel.read());
  }

  assign(ids: Readonly<Record<string, string>>, refused: boolean, expects?: boolean): void {
    this.#mapModel.assign(ids, refused, expects);
  }

  createProject(omits: boolean, refused: boolean): void {
    this.#nestedLists.begin();
    this.#nestedLists.create(omits, refused);
    this.#simulation.several();
  }

  addTask(at: number, refused: boolean): void {
    this.#nestedLists.add(at, refused);
  }

  readScore(): void {
    this.#tell(this.#mergeModel.read());
  }

  raise(best: number, refused: boolean): void {
    this.#mergeModel.raise(best, refused);
  }

  #tell(faults: readonly string[]): void {
    for (const fault of faults) this.#simulation.fault(fault);
  }
}
