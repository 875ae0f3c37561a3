/** The steps of a stage that do not concern rows: each kind has endpoints and a model. */
import { Beads } from './beads.ts';
import type { Shown } from './storeReaders.ts';
import { Nest } from './nestedLists.ts';
import { Press } from './changingKeys.ts';
import { Purse } from './mapModel.ts';
import { Scores } from './mergeModel.ts';
import type { Backstage } from './FeatureModel.ts';
import { Sums } from './sums.ts';

export class Apart {
  readonly #stage: Backstage;
  readonly #press: Press;
  readonly #sums: Sums;
  readonly #beads: Beads;
  readonly #purse: Purse;
  readonly #nest: Nest;
  readonly #scores: Scores;

  constructor(stage: Backstage) {
    this.#stage = stage;
    this.#press = new Press(stage);
    this.#sums = new Sums(stage);
    this.#beads = new Beads(stage);
    this.#purse = new Purse(stage);
    this.#nest = new Nest(stage);
    this.#scores = new Scores(stage);
  }

  get #sides() {
    return [this.#press, this.#sums, this.#beads, this.#purse, this.#nest, this.#scores];
  }

  get shown(): Shown[] {
    return this.#sides.flatMap(({ shown }) => shown);
  }

  reset(): void {
    for (const side of this.#sides) side.reset();
  }

  readPosts(): void {
    this.#tell(this.#press.read());
  }

  changePost(at: number, what: 'title' | 'slug' | 'both', expects: boolean): void {
    this.#tell(this.#press.change(at, what, expects));
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
    this.#tell(this.#purse.read());
  }

  assign(ids: Readonly<Record<string, string>>, refused: boolean, expects?: boolean): void {
    this.#purse.assign(ids, refused, expects);
  }

  createProject(omits: boolean, refused: boolean): void {
    this.#nest.begin();
    this.#nest.create(omits, refused);
    this.#stage.several();
  }

  addTask(at: number, refused: boolean): void {
    this.#nest.add(at, refused);
  }

  readScore(): void {
    this.#tell(this.#scores.read());
  }

  raise(best: number, refused: boolean): void {
    this.#scores.raise(best, refused);
  }

  #tell(faults: readonly string[]): void {
    for (const fault of faults) this.#stage.fault(fault);
  }
}
