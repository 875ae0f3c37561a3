/** The definitions of signalbox, and its side of the browser. */
import { compileFunction } from 'node:vm';
import { Controller, Endpoint, Entity } from 'signalbox';
import { endRequest, receiveServerData, serverDataScript } from 'signalbox/ssr';
import { documentWith, fetchRows } from './Page.ts';
import type { Page } from './Page.ts';

class Author extends Entity {
  id = 0;
  name = '';
  email = '';
  static override key = 'Author';
}

class Issue extends Entity {
  id = 0;
  title = '';
  text = '';
  state = '';
  priority = 0;
  comments = 0;
  isPinned = false;
  createdAt = '';
  author: Author = Author.fromJS({});
  static override key = 'Issue';
  static override schema = { author: Author };
}

export const getIssues = new Endpoint(fetchRows, { name: 'getIssues', schema: [Issue] });

/** The controller of a request, with the data. */
export async function fetchIssues(): Promise<Controller> {
  const controller = new Controller();
  await controller.fetch(getIssues);
  return controller;
}

/** Ends a request whose page was rendered to a string. */
export function documentOf(controller: Controller, html: string, head = ''): Uint8Array {
  const data = serverDataScript(controller);
  endRequest(controller);
  return documentWith(head, data, html);
}

const isData = (script: string) => script.includes('__signalbox');

/** A page that is rendered in this way; its scripts are run as a browser does. */
export function pageOf(render: Page['render']): Page {
  return {
    render,
    isData,
    async receive(scripts) {
      const remove = () => {};
      for (const script of scripts.filter(isData))
        compileFunction(script, ['self', 'document'])(globalThis, { currentScript: { remove } });
      const controller = new Controller();
      receiveServerData(controller);
      const { data } = controller.getResponse(getIssues);
      if (data === undefined) throw new Error('The data have not arrived');
      return data;
    },
  };
}
