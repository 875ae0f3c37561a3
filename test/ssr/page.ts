// A page without a browser: runs the scripts of a server's HTML like an HTML parser.
import vm from 'node:vm';
import type { Controller } from 'signalbox';
import { hydrateController } from 'signalbox/ssr';
import type { ServerState } from 'signalbox/ssr';

/** The scripts in a text of HTML. Like in a parser, a script ends at the first `</script`. */
export function programsIn(html: string): string[] {
  return [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script/g)].map(
    ([, , program = '']) => program,
  );
}

/** The states in the scripts of a page. */
export function toldBy(html: string, name = '__signalbox'): ServerState[] {
  const page: Record<string, unknown> = { document: { currentScript: { remove() {} } } };
  page['self'] = page;
  vm.createContext(page);
  // scripts of frameworks are about elements
  const ours = programsIn(html).filter((program) => program.startsWith('(self['));
  for (const program of ours) vm.runInContext(program, page);
  // values of another realm become ours
  return JSON.parse(JSON.stringify(page[name] ?? [])) as ServerState[];
}

/** Hydrates the controller with the states in a page. */
export function arrive<C extends Controller>(html: string, controller: C): C {
  for (const state of toldBy(html)) hydrateController(controller, state);
  return controller;
}
