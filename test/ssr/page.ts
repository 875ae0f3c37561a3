// A page without a browser: runs the scripts that a server wrote, as a parser of HTML would find them.
import vm from 'node:vm';
import type { Controller } from 'signalbox';
import { hydrateController } from 'signalbox/ssr';
import type { ServerState } from 'signalbox/ssr';

/** The programs of a text of HTML. A script ends where a parser ends it: at the first `</script`. */
export function programsIn(html: string): string[] {
  return [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script/g)].map(
    ([, , program = '']) => program,
  );
}

/** What the scripts of a page tell. */
export function toldBy(html: string, name = '__signalbox'): ServerState[] {
  const page: Record<string, unknown> = { document: { currentScript: { remove() {} } } };
  page['self'] = page;
  vm.createContext(page);
  // those of frameworks are about elements
  const ours = programsIn(html).filter((program) => program.startsWith('(self['));
  for (const program of ours) vm.runInContext(program, page);
  // values of another realm become ours
  return JSON.parse(JSON.stringify(page[name] ?? [])) as ServerState[];
}

/** Gives what a page tells to its controller. */
export function arrive<C extends Controller>(html: string, controller: C): C {
  for (const state of toldBy(html)) hydrateController(controller, state);
  return controller;
}
