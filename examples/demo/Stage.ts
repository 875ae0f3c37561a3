/** The views of the steps: named effects on signals, and the views that ran since the last `take`. */
import { effect, untracked } from '@preact/signals-core';
import { type Controller, liveResult } from 'signalbox';
import { Todo, type Resources } from './resources.ts';

export class Stage {
  readonly #controller: Controller;
  readonly #resources: Resources;
  readonly #rows = new Map<number, () => void>();
  readonly #details = new Map<number, () => void>();
  #ran: string[] = [];

  constructor(controller: Controller, resources: Resources) {
    this.#controller = controller;
    this.#resources = resources;
  }

  /** The number of views. */
  get views(): number {
    return 1 + this.#rows.size + this.#details.size;
  }

  get rows(): number[] {
    return [...this.#rows.keys()];
  }

  /** The views that ran since the last call. */
  take(): string[] {
    const ran = this.#ran;
    this.#ran = [];
    return ran;
  }

  /** One view for the list, which reads only its membership; it opens and closes one view per row. */
  openList(): void {
    const list = liveResult(this.#controller.view(this.#resources.todos.getList));
    effect(() => {
      this.#ran.push('list');
      const ids = (list.value.data ?? []).map((todo) => untracked(() => todo.id));
      untracked(() => this.#seat(ids));
    });
  }

  #seat(ids: readonly number[]): void {
    for (const [id, close] of this.#rows) {
      if (ids.includes(id)) continue;
      close();
      this.#rows.delete(id);
    }
    for (const id of ids) if (!this.#rows.has(id)) this.#rows.set(id, this.#openRow(id));
  }

  /** A row reads one todo and its author, and depends on nothing else. */
  #openRow(id: number): () => void {
    const todo = this.#controller.entity(Todo, id);
    return effect(() => {
      this.#ran.push(`row ${id}`);
      void `${todo.value?.title} ${todo.value?.done} ${todo.value?.author?.name}`;
    });
  }

  openDetail(id: number): void {
    const todo = this.#controller.signal(this.#resources.todos.get, { id });
    const close = effect(() => {
      this.#ran.push(`detail ${id}`);
      void todo.value?.title;
    });
    this.#details.set(id, close);
  }
}
