/** The state of the panel: the open tab, and in each tab the group, the filter, the selected row and the scroll. */

/** The state of a tab. */
export interface TabState {
  /** '' selects all groups. */
  group: string;
  filter: string;
  /** The key of the selected row. */
  chosen: string | undefined;
  /** Pixels. */
  top: number;
}

/** Stores the state, as `localStorage` does. */
export interface PanelStorage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
}

/** Unless the storage has another. */
type FirstState = Pick<PanelState, 'collapsed' | 'floating' | 'height'> & {
  readonly storage: PanelStorage | undefined;
};

const NAME = 'signalbox.panel';
const MIN_HEIGHT = 120;

export class PanelState {
  readonly #storage: PanelStorage | undefined;
  readonly #tabStates = new Map<number, TabState>();
  #collapsed: boolean;
  #floating: boolean;
  #height: number;
  #tab = 0;

  constructor({ collapsed, floating, height, storage }: FirstState) {
    this.#storage = storage;
    const known = this.#load();
    this.#collapsed = known['collapsed'] === undefined ? collapsed : known['collapsed'] === true;
    this.#floating = known['floating'] === undefined ? floating : known['floating'] === true;
    this.#height = typeof known['height'] === 'number' ? known['height'] : height;
    if (typeof known['tab'] === 'number') this.#tab = known['tab'];
  }

  get collapsed(): boolean {
    return this.#collapsed;
  }

  set collapsed(collapsed: boolean) {
    this.#collapsed = collapsed;
    this.#save();
  }

  /** A window in the corner; false: the panel takes the bottom of the page. */
  get floating(): boolean {
    return this.#floating;
  }

  set floating(floating: boolean) {
    this.#floating = floating;
    this.#save();
  }

  get tab(): number {
    return this.#tab;
  }

  set tab(tab: number) {
    this.#tab = tab;
    this.#save();
  }

  get height(): number {
    return this.#height;
  }

  /** `most`: the height of the window, of which the panel leaves a part free. */
  resize(height: number, most: number): void {
    this.#height = Math.round(Math.max(MIN_HEIGHT, Math.min(height, most - 40)));
    this.#save();
  }

  get tabState(): TabState {
    return this.tabStateAt(this.#tab);
  }

  tabStateAt(tab: number): TabState {
    const known = this.#tabStates.get(tab);
    const spot = known ?? { group: '', filter: '', chosen: undefined, top: 0 };
    this.#tabStates.set(tab, spot);
    return spot;
  }

  /** A storage may be closed to the page, be full, or hold data of other programs: then nothing is restored. */
  #load(): { readonly [name: string]: unknown } {
    try {
      return (JSON.parse(this.#storage?.getItem(NAME) ?? '{}') ?? {}) as object as never;
    } catch {
      return {};
    }
  }

  #save(): void {
    const { collapsed, floating, height, tab } = this;
    try {
      this.#storage?.setItem(NAME, JSON.stringify({ collapsed, floating, height, tab }));
    } catch {
      // as above
    }
  }
}
