// A page as a browser with scripts parses the page: our scripts that would run, and the tree without these.
import { defaultTreeAdapter, html, parse, serialize } from 'parse5';
import type { DefaultTreeAdapterMap } from 'parse5';

type Parent = DefaultTreeAdapterMap['parentNode'];
type Child = DefaultTreeAdapterMap['childNode'];

const isElement = (node: Child): node is DefaultTreeAdapterMap['element'] => 'tagName' in node;

function programOf(node: Child): string | undefined {
  if (!isElement(node) || node.tagName !== 'script' || node.namespaceURI !== html.NS.HTML)
    return undefined;
  const [text] = node.childNodes;
  const program = text !== undefined && 'value' in text ? text.value : '';
  return program.startsWith('(self["__signalbox"]') ? program : undefined;
}

/** Removes the scripts; neighbouring texts become a single text, as before. */
function takeOut(parent: Parent, programs: string[]): void {
  const children = parent.childNodes.splice(0);
  for (const child of children) {
    const program = programOf(child);
    const last = parent.childNodes.at(-1);
    if (program !== undefined) programs.push(program);
    else if ('value' in child && last !== undefined && 'value' in last) last.value += child.value;
    else {
      parent.childNodes.push(child);
      // the content of a template is inert: no script inside runs
      if (isElement(child)) takeOut(child, programs);
    }
  }
}

export function parseHtml(page: string): { readonly programs: string[]; readonly tree: string } {
  const programs: string[] = [];
  const document = parse(page);
  takeOut(document, programs);
  return { programs, tree: serialize(document, { treeAdapter: defaultTreeAdapter }) };
}
