// @vitest-environment happy-dom
/** The panel within a page: when the panel renders, its listeners, and its use without a pointer. */
import { openPanel } from 'signalbox/devtools/panel';
import type { PanelOptions } from 'signalbox/devtools/panel';
import { expect, test, vi } from 'vitest';
import { Todo, User, world } from '../setup/world.ts';
import { OpenedPanel } from './openedPanel.ts';

test('[T2] the panel renders at most once per frame, and never while collapsed', async () => {
  const w = world();
  const { controller, clock } = w;
  const panel = new OpenedPanel(controller);
  const before = panel.frames;
  for (let id = 0; id < 50; id++) await controller.set(Todo, { id }, { title: `todo ${id}` });
  expect(panel.frames).toBe(before + 1);
  panel.frame();
  expect(panel.rows.length).toBeGreaterThan(20);

  panel.press('', '[data-do=collapse]');
  const collapsed = panel.frames;
  const waiting = clock.waiting;
  const on = vi.fn<() => void>();
  const seen = new MutationObserver(on);
  seen.observe(panel.root, { childList: true, subtree: true, attributes: true });
  await controller.set(Todo, { id: 1 }, { title: 'unseen' });
  clock.advance(10_000);
  panel.frame();
  expect([panel.frames, clock.waiting]).toEqual([collapsed, waiting]);
  expect(seen.takeRecords()).toEqual([]);
  expect(on).not.toHaveBeenCalled();
  seen.disconnect();

  panel.press('signalbox');
  panel.open('Timeline');
  expect(panel.one('[role=tab][aria-selected=true] .count').textContent).toBe('51');
  expect(panel.rows[0]).toContain('nothing was recorded for 10 s');
});

test('[T2] the panel of a hidden page renders nothing, and renders all changes when the page becomes visible', async () => {
  const w = world();
  const panel = new OpenedPanel(w.controller);
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  document.dispatchEvent(new Event('visibilitychange'));
  const { frames } = panel;
  await w.controller.set(User, { id: 1 }, { name: 'Wen' });
  w.clock.advance(60_000);
  expect([panel.frames, w.clock.waiting]).toEqual([frames, 0]);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  panel.frame();
  expect(panel.rows).toEqual(['User 1 id: 1, name: "Wen"']);
});

test('[T2] a request that ended while the panel was collapsed is shown as not seen', async () => {
  const w = world();
  const panel = new OpenedPanel(w.controller);
  panel.open('Timeline');
  void w.controller.fetch(w.read('get', User));
  panel.frame();
  expect(panel.rows[0]).toContain('in flight get');
  panel.press('', '[data-do=collapse]');
  await w.call().answer({ id: 1, name: 'Wen' });
  panel.press('signalbox');
  expect(panel.rows[1]).toContain('not seen get');
});

test('[T2] with `always`, a collapsed panel records', async () => {
  const w = world();
  const panel = new OpenedPanel(w.controller, { collapsed: true, always: true });
  const { frames } = panel;
  await w.controller.set(User, { id: 1 }, { name: 'Wen' });
  expect(panel.frames).toBe(frames);
  panel.press('signalbox');
  panel.choose('User 1');
  expect(panel.line('name')?.[2]).toBe('set 0 s ago');
});

test('[T2] arrow keys move between the tabs, and each tab has a name', async () => {
  const w = world();
  await w.controller.set(User, { id: 1 }, { name: 'Wen' });
  await w.controller.set(User, { id: 2 }, { name: 'Olu' });
  const panel = new OpenedPanel(w.controller);
  const current = '[role=tab][aria-selected=true]';
  const tabs = [];
  for (const key of [
    'ArrowRight',
    'ArrowRight',
    'ArrowRight',
    'ArrowRight',
    'ArrowLeft',
    'Home',
    'End',
  ]) {
    panel.key(current, key);
    tabs.push(panel.tab);
    expect(panel.root.activeElement).toBe(panel.one(current));
    expect(panel.one('[role=tabpanel]').getAttribute('aria-labelledby')).toBe(
      panel.one(current).id,
    );
  }
  expect(tabs).toEqual([
    'Requests',
    'Layers',
    'Timeline',
    'Entities',
    'Timeline',
    'Entities',
    'Timeline',
  ]);
  expect(panel.all('[role=tab][tabindex="0"]')).toEqual([panel.one(current)]);

  panel.open('Entities');
  const chosen = () => {
    const id = panel.one('[role=listbox]').getAttribute('aria-activedescendant');
    return panel.one(`#${id}`).textContent.slice(0, 6);
  };
  panel.key('[role=listbox]', 'ArrowDown');
  expect(chosen()).toBe('User 1');
  panel.key('[role=listbox]', 'ArrowDown');
  expect(chosen()).toBe('User 2');
  panel.key('[role=listbox]', 'Home');
  expect(chosen()).toBe('User 1');

  const grip = () => Number(panel.one('[role=separator]').getAttribute('aria-valuenow'));
  panel.key('[role=separator]', 'ArrowUp');
  expect(grip()).toBe(344);
  for (let times = 0; times < 99; times++) panel.key('[role=separator]', 'ArrowDown');
  expect(grip()).toBe(120);
});

test('[T2] a floating panel takes no space of the page, and can be docked again', () => {
  const { controller } = world();
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  };
  const space = (panel: OpenedPanel) =>
    panel.root.adoptedStyleSheets
      .flatMap(({ cssRules }) => [...cssRules])
      .map(({ cssText }) => /--space: ?([^;} ]+)/.exec(cssText)?.[1])
      .find((found) => found !== undefined);
  const first = new OpenedPanel(controller, { storage });
  expect(space(first)).toBe('320px');
  first.press('', '[aria-label="Float the panel"]');
  expect([space(first), first.all('.floating').length]).toEqual(['0px', 1]);
  first.close();
  const second = new OpenedPanel(controller, { storage });
  second.press('', '[aria-label="Dock the panel"]');
  expect([space(second), second.all('.floating').length]).toEqual(['320px', 0]);
  second.close();
  expect(new OpenedPanel(controller, { floating: true }).all('.floating')).toHaveLength(1);
});

test('[T2] keys and clicks in the panel do not reach listeners of the page', () => {
  const panel = new OpenedPanel(world().controller);
  const heard = vi.fn<(event: Event) => void>();
  for (const name of ['keydown', 'click', 'input']) document.addEventListener(name, heard);
  panel.key('input', 'k');
  panel.filter('k');
  panel.open('Layers');
  for (const name of ['keydown', 'click', 'input']) document.removeEventListener(name, heard);
  expect(heard).not.toHaveBeenCalled();
});

test('[T2] the panel stores its state only in the given storage', () => {
  const { controller } = world();
  const use = (options: PanelOptions) => {
    const panel = new OpenedPanel(controller, options);
    const began = panel.root.querySelector('.pill') === null ? panel.tab : 'collapsed';
    panel.close();
    return { panel, began };
  };
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  };
  const first = new OpenedPanel(controller, { storage });
  first.open('Timeline');
  first.close();
  expect(use({ storage }).began).toBe('Timeline');
  expect(use({}).began).toBe('Entities');
  kept.set('signalbox.panel', '{"tab": 99, "height": "a"}');
  expect(use({ storage }).began).toBe('Entities');
  kept.set('signalbox.panel', 'nonsense');
  expect(use({ storage }).began).toBe('Entities');
  const closed = () => {
    throw new Error('denied');
  };
  expect(use({ storage: { getItem: closed, setItem: closed }, collapsed: true }).began).toBe(
    'collapsed',
  );
  expect(localStorage).toHaveLength(0);
});

test('[T2] the panel is the last child of `target`, in a shadow root, and is removed when closed', () => {
  const { controller } = world();
  const place = document.body.appendChild(document.createElement('div'));
  const inner = place.attachShadow({ mode: 'open' });
  const close = openPanel(controller, { target: inner });
  expect(inner.children).toHaveLength(1);
  expect(inner.firstElementChild?.shadowRoot?.querySelector('[role=tablist]')).not.toBeNull();
  expect(document.head.children).toHaveLength(0);
  close();
  close();
  expect(inner.children).toHaveLength(0);
  place.remove();
});

test.each([
  ['text', '#app'],
  ['null', null],
  ['a text node', {}],
])('[T2] a panel with %s as its target throws D1', (_, target) => {
  expect(() => openPanel(world().controller, { target: target as Element })).toThrow(
    expect.objectContaining({ code: 'D1' }) as Error,
  );
});

test('[T2] without a document openPanel does nothing', () => {
  vi.stubGlobal('document', undefined);
  expect(openPanel(world().controller)()).toBeUndefined();
  vi.unstubAllGlobals();
});
